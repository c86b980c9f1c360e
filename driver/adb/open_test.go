package adb_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// A phone that hangs ends its opening at the limit, and the error says which phone, whoever chose it.
func TestOpenOfAHungPhone(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	require.NoError(t, f.device.SetFault(android.FaultHang, true))
	for _, serial := range []string{"", f.device.Serial()} {
		opens := func(limit time.Duration) error {
			_, err := adb.New(t.Context(), serial, &adb.Options{Server: f.server.Addr(), NoStart: true, Limit: limit})
			require.ErrorIs(t, err, driver.ErrTimeout)
			return err
		}
		names := "open adb:" + f.device.Serial() + ": "
		err := opens(200 * time.Millisecond)
		for limit := time.Second; !strings.Contains(err.Error(), names) && limit < time.Minute; limit *= 4 {
			err = opens(limit) // on a busy computer, not even the list was there
		}
		require.ErrorContains(t, err, names)
		require.ErrorContains(t, err, "restart the phone")
	}
}

// A server that takes requests and says nothing is bounded, too.
func TestOpenOverASilentServer(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	require.NoError(t, f.server.Faults().Switch(android.FaultSilentServer, true))
	opts := &adb.Options{Server: f.server.Addr(), NoStart: true, Limit: 300 * time.Millisecond}
	_, err := adb.New(t.Context(), "", opts)
	require.ErrorIs(t, err, driver.ErrTimeout)
	_, err = adb.Devices(t.Context(), opts)
	require.ErrorIs(t, err, driver.ErrTimeout)
}

// What makes no sense is told as that, with the right form, and no server is asked.
func TestOptionsThatMakeNoSense(t *testing.T) {
	t.Setenv("ADB_SERVER_SOCKET", "tcp:"+adb.Refusing(t))
	t.Setenv("PATH", "")
	for _, c := range []struct{ query, says string }{
		{"bogus=1", "known: adb, compressed, keyboard"},
		{"limit=soon", `option limit: "soon": want a time such as`},
		{"start=perhaps", `option start: "perhaps": want true or false`},
		{"screens=gif", `screens "gif": want png or raw`},
		{"keyboard=x", `keyboard "x": want PACKAGE/CLASS`},
		{"lang=fr", `lang "fr": want zh or en`},
		{"server=a%20b", `adb server "a b": want HOST:PORT`},
	} {
		_, err := driver.Open(t.Context(), "adb:X?"+c.query)
		require.ErrorIs(t, err, driver.ErrBadOption, c.query)
		require.ErrorContains(t, err, c.says)
	}
}

// The variables of adb are read as adb reads them; one that it would refuse is named.
func TestServerVariables(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"ADB_SERVER_SOCKET", "bogus"},
		{"ADB_SERVER_SOCKET", "127.0.0.1:5037"},
		{"ADB_SERVER_SOCKET", "5037"},
		{"ADB_SERVER_SOCKET", "tcp:"},
		{"ADB_SERVER_SOCKET", "tcp:h:port"},
		{"ADB_SERVER_SOCKET", "tcp:h:99999"},
		{"ADB_SERVER_SOCKET", "unix:/tmp/s"},
		{"ADB_SERVER_SOCKET", "localfilesystem:"},
		{"ADB_SERVER_SOCKET", "vsock:1:2"},
		{"ANDROID_ADB_SERVER_PORT", "x"},
		{"ANDROID_ADB_SERVER_PORT", "70000"},
		{"ANDROID_ADB_SERVER_ADDRESS", "a b"},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			for _, name := range []string{"ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT", "PATH"} {
				t.Setenv(name, "") // of the tester, who may have a server
			}
			t.Setenv(c.name, c.value)
			_, err := driver.Open(t.Context(), "adb:")
			require.ErrorIs(t, err, driver.ErrBadOption)
			require.ErrorContains(t, err, c.name+"="+c.value)
			require.ErrorContains(t, err, "want ")
			_, err = adb.Devices(t.Context(), adb.FromEnv(func(name string) string { return map[string]string{c.name: c.value}[name] }))
			require.ErrorIs(t, err, driver.ErrBadOption)
			_, err = driver.Open(t.Context(), "adb:X?start=false&server="+adb.Refusing(t))
			require.ErrorIs(t, err, adb.ErrNoServer, "an option beats the environment")
		})
	}
}

// A phone behind a socket that is a file.
func TestServerVariableThatIsAFile(t *testing.T) {
	t.Setenv("ADB_SERVER_SOCKET", "localfilesystem:"+t.TempDir()+"/none")
	_, err := driver.Open(t.Context(), "adb:")
	require.ErrorIs(t, err, adb.ErrNoServer)
	require.ErrorContains(t, err, "/none")
	require.ErrorContains(t, err, "start-server")
}

// An app has its name in the language that was asked for, or else in the phone's.
func TestNamesInALanguage(t *testing.T) {
	for _, c := range []struct{ name, phone, asked, want string }{
		{"an English phone", "en", "", "Settings"},
		{"a Chinese phone", "zh", "", "设置"},
		{"English asked for", "zh", "en", "Settings"},
		{"Chinese asked for", "en", "zh", "设置"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newFront(t, "a14", sim.Options{Lang: c.phone}).openWith(t, adb.Options{Lang: c.asked})
			all, err := d.Apps(t.Context())
			require.NoError(t, err)
			require.Contains(t, all, driver.App{ID: "com.android.settings", Name: c.want})
		})
	}
}
