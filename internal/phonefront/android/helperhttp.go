package android

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// helperSocket is the socket of a helper that a fault has made run, or nil.
func (d *Device) helperSocket(name string) Dialer {
	switch {
	case name == "tcp:9008" && d.faults.On(FaultU2Server):
		return d.serveU2
	case name == "tcp:6790" && d.faults.On(FaultAppium):
		return d.serveAppium
	}
	return nil
}

// HelperRequests returns what the helpers of the phone were asked over HTTP, oldest first, such as
// "u2 GET /ping" and "appium DELETE /session/ID".
func (d *Device) HelperRequests() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.helpers.requests)
}

func (d *Device) noteHelper(helper string, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.helpers.requests = append(d.helpers.requests, helper+" "+r.Method+" "+r.URL.Path)
}

// automated says that a helper holds the system's only accessibility connection for automation.
func (d *Device) automated() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.helpers.jar || d.faults.On(FaultU2Server) || d.faults.On(FaultAppium)
}

// automate counts the dumps that run, and says whether it is the only one.
func (d *Device) automate(by int) (first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.helpers.dumps += by
	return d.helpers.dumps == 1
}

// alreadyRegistered is what a second client of that connection ends with.
const alreadyRegistered = "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1a2b3c4already registered!"

// answer is an answer over HTTP.
type answer struct {
	status int
	kind   string // Content-Type
	body   []byte
	close  bool
}

// maxBody bounds the body of a request, in bytes.
const maxBody = 1 << 20

// webServer is a small HTTP/1.1 server on one connection. handle returns nil to stay silent for ever.
type webServer struct {
	idle   time.Duration // without a request, after which the connection is closed
	handle func(ctx context.Context, r *http.Request, body []byte) *answer
}

// serve answers requests until the client leaves or ctx ends. A body needs a Content-Length.
func (w webServer) serve(ctx context.Context, conn io.ReadWriteCloser) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	br := bufio.NewReader(conn)
	for {
		idle := time.AfterFunc(w.idle, func() { _ = conn.Close() })
		r, err := http.ReadRequest(br)
		idle.Stop()
		if err != nil {
			return
		}
		var body bytes.Buffer
		if r.ContentLength > 0 && r.ContentLength <= maxBody {
			if _, err := io.CopyN(&body, r.Body, r.ContentLength); err != nil {
				return
			}
		}
		a := w.handle(ctx, r, body.Bytes())
		if a == nil {
			_, _ = io.Copy(io.Discard, br) // until the client has had enough
			return
		}
		if a.write(conn) != nil || a.close || r.Close || r.ContentLength < 0 {
			return
		}
	}
}

func (a *answer) write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n", a.status, http.StatusText(a.status), a.kind,
		len(a.body), map[bool]string{true: "close", false: "keep-alive"}[a.close])
	b.Write(a.body)
	_, err := w.Write(b.Bytes())
	return err
}

// asASCII is how the small servers read a body whose charset they were not told: no character beyond ASCII
// survives.
func asASCII(r *http.Request, body []byte) []byte {
	if strings.Contains(strings.ToLower(strings.ReplaceAll(r.Header.Get("Content-Type"), " ", "")), "charset=utf-8") {
		return body
	}
	var b []byte
	for _, c := range body {
		if c < 0x80 {
			b = append(b, c)
		} else {
			b = append(b, "\ufffd"...)
		}
	}
	return b
}
