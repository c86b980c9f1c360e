package sim_test

import (
	"encoding/json"
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

func TestEventJSON(t *testing.T) {
	for name, c := range map[string]struct {
		event sim.Event
		want  string
	}{
		"data": {
			sim.Event{At: 1250 * time.Millisecond, Name: "switch", Data: map[string]any{"name": "Bluetooth", "on": false}},
			`{"at":1250,"event":"switch","name":"Bluetooth","on":false}`,
		},
		"bare": {sim.Event{Name: "unlock"}, `{"at":0,"event":"unlock"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(c.event)
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(got))
		})
	}
}

func TestLogKeepsTimeInThePhonesOwnClock(t *testing.T) {
	p := in(messages)
	p.Tap(image.Pt(540, 2000))
	p.Advance(time.Minute)
	p.Swipe(image.Pt(540, 1800), image.Pt(540, 900), 250*time.Millisecond)
	log := p.Log()
	require.Equal(t, 50*time.Millisecond, log[0].At)
	require.Equal(t, time.Minute+300*time.Millisecond, log[1].At)
	require.Equal(t, map[string]any{"x": 540, "y": 1800, "x2": 540, "y2": 900, "ms": int64(250)}, log[1].Data)
	p.ClearLog()
	require.Empty(t, p.Log())
}

func TestLogIsACopy(t *testing.T) {
	p := in(messages)
	p.Tap(image.Pt(540, 2000))
	p.Log()[0].Name = "changed"
	require.Equal(t, "tap", p.Log()[0].Name)
}
