package wda

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzJSONText compares with package json.
func FuzzJSONText(f *testing.F) {
	for _, s := range []string{`""`, `"a\"b\\c\/d\n\t\u00e9\u4f60"`, `"\ud83d\ude42"`, `"\ud83d"`, `"\x"`, `"a"b"`, `x`, "\"\n\"", `"\u12"`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		var want string
		wantErr := json.Unmarshal(value, &want)
		got, err := jsonText(value)
		if wantErr != nil {
			if len(value) > 0 && value[0] == '"' { // spaces around it are not a text's business
				require.Error(t, err)
			}
			return
		}
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestCutValue(t *testing.T) {
	long := make([]byte, bigValue)
	for i := range long {
		long[i] = 'x'
	}
	text := string(long)
	for name, c := range map[string]struct {
		body string
		cut  bool
	}{
		"first":               {`{"value" : "` + text + `", "sessionId": null}`, true},
		"after the session":   {"{\n  \"sessionId\" : \"A-1\",\n  \"value\" : \"" + text + "\"\n}", true},
		"with a quote in it":  {`{"value":"a\"b\\","sessionId":"` + text + `"}`, true},
		"short":               {`{"value":"x"}`, false},
		"no text":             {`{"value":{"value":"` + text + `"}}`, false},
		"in another order":    {`{"status":0,"value":"` + text + `"}`, false},
		"without an end":      {`{"value":"` + text, false},
		"with an odd session": {`{"sessionId":"a\"b","value":"` + text + `"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			big, rest := cutValue([]byte(c.body))
			require.Equal(t, c.cut, big != nil)
			r, err := parseReply(&answer{status: 200, body: []byte(c.body)})
			if name == "without an end" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			var whole struct{ Value json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(c.body), &whole))
			require.Equal(t, string(whole.Value), string(r.value))
			require.True(t, json.Valid(rest))
		})
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		version string
		want    bool
	}{{"16.7.3", true}, {"16.12.0", true}, {"17", true}, {"16.7.2", false}, {"16.7", false}, {"5.0.0", false}, {"", false}, {"16.7.x", false}} {
		require.Equal(t, c.want, atLeast(c.version, 16, 7, 3), c.version)
	}
}

func TestUsbmuxdAddresses(t *testing.T) {
	for address, want := range map[string]usbmuxd{
		"UNIX:/tmp/mux":   {"unix", "/tmp/mux"},
		"/tmp/mux":        {"unix", "/tmp/mux"},
		"127.0.0.1:27015": {"tcp", "127.0.0.1:27015"},
	} {
		require.Equal(t, want, *newUsbmuxd(address))
	}
}
