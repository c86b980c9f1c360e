package wda

import (
	"bufio"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

func FuzzReadRequest(f *testing.F) {
	f.Add("GET /status?a=b HTTP/1.1\r\nHost: x\r\n\r\n", true)
	f.Add("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n0\r\n\r\n", false)
	f.Add("POST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\n[]", true)
	f.Fuzz(func(t *testing.T, raw string, strict bool) {
		r, refusal := readRequest(bufio.NewReader(strings.NewReader(raw)), strict)
		if r != nil {
			require.Nil(t, refusal)
			require.NotNil(t, r.body)
		}
	})
}

// FuzzCommands sends any body to any route: whatever comes, there is an answer, and it is JSON.
func FuzzCommands(f *testing.F) {
	for _, body := range []string{
		`{}`, `[]`, `{"value":["a","\n"],"using":"xpath","x":1,"y":"2"}`, `{"actions":[{"type":"pointer","id":"f","parameters":{"pointerType":"touch"},` +
			`"actions":[{"type":"pointerMove","x":1e9,"y":-5},{"type":"pointerDown"},{"type":"pointerUp"}]}]}`,
		`{"actions":[{"action":"tap","options":{"x":1,"y":1}},null,3]}`, `{"settings":{"snapshotMaxDepth":-1}}`, `{"scale":1e300,"velocity":1}`,
		`{"capabilities":{"alwaysMatch":{"bundleId":"com.handset.shop"},"firstMatch":[null]}}`, `{"keys":[null,{"key":1}],"numberOfTaps":1e9}`,
		`{"direction":"up","velocity":1e-300,"distance":-1}`, `{"fromX":1e308,"toX":-1e308,"pressDuration":1e308,"velocity":1e308,"duration":1e308}`,
	} {
		for n := range 100 {
			f.Add(uint8(n), body)
		}
	}
	phone, err := NewPhone("scale-1", &sim.Options{Start: settingsApp})
	require.NoError(f, err)
	d, err := New(phone, nil)
	require.NoError(f, err)
	d.Evict()
	f.Fuzz(func(t *testing.T, n uint8, body string) {
		rt := d.routes[int(n)%len(d.routes)]
		id := d.SessionID()
		if id == "" {
			id = d.Evict()
		}
		path := strings.NewReplacer(":sessionID", id, ":uuid", "0A000000-0000-0000-4D00-000000000000", ":name", "label").Replace(rt.path)
		r := &request{method: rt.method, path: path}
		r.readBody([]byte(body))
		rep := d.answer(context.Background(), r)
		require.NotNil(t, rep)
		if rep.kind == jsonType {
			require.True(t, json.Valid(rep.body), "%s %s: %s", rt.method, path, rep.body)
		}
	})
}
