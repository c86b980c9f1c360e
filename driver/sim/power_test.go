package sim_test

import (
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

func TestSleepLocksAndASwipeUnlocks(t *testing.T) {
	p := in(settings)
	p.Key(driver.KeyPower)
	require.Equal(t, driver.Power{Locked: true}, p.Power())
	require.Nil(t, p.Tree())
	require.Nil(t, p.Windows())
	require.Equal(t, driver.HealthAsleep, p.Frame().Health)
	p.Tap(image.Pt(540, 700))
	p.Key(driver.KeyHome)
	require.Empty(t, p.Events("switch"))

	p.Wake()
	p.Wake()
	require.Equal(t, driver.Power{On: true, Locked: true}, p.Power())
	require.Equal(t, "com.android.systemui", p.Foreground().ID)
	require.NotNil(t, p.Tree().Find(driver.ByID("keyguard_indication")))
	require.Nil(t, p.Tree().Find(driver.ByText("Bluetooth")))
	p.Swipe(image.Pt(540, 1500), image.Pt(540, 1400), 200*time.Millisecond)
	require.True(t, p.Power().Locked, "too short")
	p.Swipe(image.Pt(540, 2000), image.Pt(540, 600), 200*time.Millisecond)
	require.Equal(t, driver.Power{On: true}, p.Power())
	require.Equal(t, settings, p.Foreground().ID)
	require.Len(t, p.Events("power"), 2)
	require.Len(t, p.Events("unlock"), 1)
}

func TestNoLockScreen(t *testing.T) {
	p := in(settings)
	p.SetValue("lock_screen", "none")
	p.Sleep()
	p.Wake()
	require.Equal(t, driver.Power{On: true}, p.Power())
}

func TestPIN(t *testing.T) {
	p := sim.New(&sim.Options{Locked: true, PIN: "2580", Start: settings})
	require.False(t, p.InsertText("2580"), "it does not ask yet")
	up := func() { p.Swipe(image.Pt(540, 2000), image.Pt(540, 600), 200*time.Millisecond) }
	up()
	require.True(t, p.Power().Locked)
	tap := func(text string) {
		n := p.Tree().Find(driver.ByText(text))
		require.NotNil(t, n, text)
		p.Tap(n.Center())
	}
	for _, key := range []string{"1", "2", "OK"} {
		tap(key)
	}
	require.Len(t, p.Events("wrong_pin"), 1)
	p.Key(driver.KeyBack)
	require.NotNil(t, p.Tree().Find(driver.ByText("Swipe up to unlock")))
	up()
	for _, key := range []string{"2", "5", "8", "1", "⌫", "0"} {
		tap(key)
	}
	require.NotNil(t, p.Tree().Find(driver.ByText("••••")), "nobody reads the digits")
	p.Key(driver.KeyEnter)
	require.Equal(t, driver.Power{On: true}, p.Power())
	require.Equal(t, settings, p.Foreground().ID)
	p.Sleep()
	p.Wake()
	up()
	require.True(t, p.InsertText("2580"))
	p.Sleep()
	p.Wake()
	require.False(t, p.InsertText("2580"), "a dark display forgets the question")
	require.True(t, p.Power().Locked)
	require.ErrorContains(t, (&sim.Options{PIN: "12a"}).Check(), "digits")
}

func TestStartsLockedOrAsleep(t *testing.T) {
	require.Equal(t, driver.Power{On: true, Locked: true}, sim.New(&sim.Options{Locked: true}).Power())
	require.Equal(t, driver.Power{}, sim.New(&sim.Options{Asleep: true}).Power())
	p := sim.New(&sim.Options{Locked: true, Asleep: true})
	p.Unlock()
	require.True(t, p.Power().Locked, "the display is off")
	p.Wake()
	p.Unlock()
	require.False(t, p.Power().Locked)
}

func TestVolumeKeysWorkAsleep(t *testing.T) {
	p := sim.New(&sim.Options{Asleep: true})
	p.Key(driver.KeyVolumeUp)
	require.Equal(t, "60", p.Value("volume"))
	p.Key(driver.KeyMute)
	p.Key(driver.KeyVolumeDown)
	require.Equal(t, "0", p.Value("volume"))
	p.Key(driver.KeyPlayPause)
	require.Equal(t, "true", p.Value("media.playing"))
}

func TestKeys(t *testing.T) {
	p := sim.New(nil)
	for _, k := range driver.Keys() {
		require.True(t, p.Key(k), k)
	}
	require.False(t, p.Key("NoSuchKey"))
	require.Len(t, p.Events("key"), len(driver.Keys()))

	p = in(settings)
	p.Key(driver.KeySearch)
	f, ok := p.Focused()
	require.True(t, ok)
	require.Equal(t, "search", f.Action)
	p.Key(driver.KeyCamera)
	require.Equal(t, camera, p.FocusedApp().ID)
}
