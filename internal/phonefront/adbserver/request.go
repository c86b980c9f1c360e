package adbserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/internal/phonefront/adbservice"
	"github.com/handset-go/handset/internal/phonefront/android"
)

var errBadLength = errors.New("length is not four hex digits, or zero")

// readRequest reads the length, four hex digits, and the request.
func readRequest(r io.Reader) (string, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 16)
	if err != nil || n == 0 {
		return "", errBadLength
	}
	buf := make([]byte, n)
	if _, err := io.ReadFull(r, buf); err != nil {
		return "", err
	}
	return string(buf), nil
}

// requester answers the requests of one connection.
type requester struct {
	s  *Server
	c  net.Conn
	to *attached // the phone that the connection was switched to
}

func (r *requester) write(text string) { _, _ = io.WriteString(r.c, text) }

func (r *requester) okay() { r.write("OKAY") }

func (r *requester) fail(text string) { r.write(fmt.Sprintf("FAIL%04x%s", len(text), text)) }

// data sends a text behind its length.
func (r *requester) data(text string) {
	if r.s.on(android.FaultBadLength) {
		r.write("zzzz" + text)
		return
	}
	r.write(fmt.Sprintf("%04x%s", len(text), text))
}

// okayData is an OKAY with a text.
func (r *requester) okayData(text string) {
	r.okay()
	r.data(text)
}

// answer does what a request asks for. It says whether another request may follow.
func (r *requester) answer(ctx context.Context, request string) (more bool) {
	switch {
	case r.s.on(android.FaultSilentServer):
		select {
		case <-ctx.Done():
		case <-r.gone():
		}
		return false
	case r.s.on(android.FaultProtocol):
		return false
	}
	if r.to != nil {
		r.serve(ctx, request)
		return false
	}
	switch prefix, rest, _ := strings.Cut(request, ":"); prefix {
	case "host":
		return r.host(ctx, target{}, rest)
	case "host-usb":
		return r.host(ctx, target{kind: usb}, rest)
	case "host-local":
		return r.host(ctx, target{kind: local}, rest)
	case "host-transport-id":
		id, what, _ := strings.Cut(rest, ":")
		return r.host(ctx, target{kind: byID, value: id}, what)
	case "host-serial":
		serial, what := r.s.splitSerial(rest)
		return r.host(ctx, target{kind: bySerial, value: serial}, what)
	}
	r.fail("device offline (no transport)")
	return false
}

// serve opens a service of the phone that the connection was switched to.
func (r *requester) serve(ctx context.Context, name string) {
	d := r.to.Device
	if uint32(len(name)+1) > d.Profile().Banner.MaxData {
		d.NoteRequest(name)
		r.s.abort(name)
		return
	}
	service := adbservice.Find(d, name, dialLocal)
	if service == nil {
		r.fail("closed")
		return
	}
	r.s.mu.Lock()
	r.s.conns[r.c] = r.to.Serial
	r.s.mu.Unlock()
	r.okay()
	if r.s.on(android.FaultServerDies) {
		r.s.Kill()
		return
	}
	if err := service(ctx, stream{r.c}); err != nil {
		r.s.breakLine(r.to.Serial)
	}
}

// dialLocal connects to a socket of the computer, as a reverse forward does.
func dialLocal(ctx context.Context, local string) (io.ReadWriteCloser, error) {
	port, ok := strings.CutPrefix(local, "tcp:")
	if !ok {
		return nil, errors.New("unknown socket specification:" + local)
	}
	if !strings.Contains(port, ":") {
		port = "127.0.0.1:" + port
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", port)
}

// abort ends the server as its CHECK does on a request that is too long for the device.
func (s *Server) abort(request string) {
	s.mu.Lock()
	s.aborted = request
	s.mu.Unlock()
	s.Kill()
}

// stream is the connection as a stream to the phone.
type stream struct{ net.Conn }

// drainTime is how long the client may take to close its end.
const drainTime = time.Second

// Close tells the client that nothing follows. What it still sends is read for a while, so that it is not
// answered by a reset, which would take away what was written before.
func (s stream) Close() error {
	if t, ok := s.Conn.(*net.TCPConn); ok {
		_ = t.CloseWrite()
	}
	return s.SetReadDeadline(time.Now().Add(drainTime))
}
