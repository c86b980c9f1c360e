package wda

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// The limits of WebDriverAgent's own HTTP server, 16.7.2 on.
const (
	maxHeader  = 16 << 10
	maxBody    = 1 << 30
	incomplete = 30 * time.Second // a request that stays incomplete so long is dropped
)

const (
	serverName = "WebDriverAgent/1.0"
	notHTTP    = "The request could not be parsed as valid HTTP"
	noEncoding = "Transfer-Encoding is not supported"
)

// errBroken says that a connection ends without an answer.
var errBroken = errors.New("connection broken")

// serve answers the requests of one connection, one after the other.
func (s *Server) serve(c net.Conn) {
	if s.faults.On(FaultAcceptEOF) {
		return
	}
	br := bufio.NewReader(c)
	for {
		if _, err := br.Peek(1); err != nil {
			return // idle, and gone
		}
		_ = c.SetReadDeadline(time.Now().Add(incomplete))
		r, bad := readRequest(br, s.version.atLeast(strictServer))
		if bad == nil && r == nil {
			return
		}
		_ = c.SetReadDeadline(time.Time{})
		rep, err := bad, error(nil)
		if rep == nil {
			rep, err = s.handle(r)
		}
		if err != nil || rep == nil {
			s.abandon(c)
			return
		}
		if s.write(c, r, rep) != nil || rep.close || r == nil || r.last {
			return
		}
	}
}

// abandon leaves a connection without an answer: with a reset where that fault is on.
func (s *Server) abandon(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok && s.faults.On(FaultReset) {
		_ = tcp.SetLinger(0) // Close resets it then
	}
}

var errHead = errors.New("the head of the request is too large")

// readRequest reads one request. It returns nil for a connection that ended, and an answer for one that the
// server refuses; the connection is closed after that.
func readRequest(br *bufio.Reader, strict bool) (*request, *reply) {
	limit := maxBody
	if strict {
		limit = maxHeader
	}
	head, err := readHead(br, limit)
	switch {
	case errors.Is(err, errHead):
		return nil, refused(notHTTP)
	case err != nil:
		return nil, nil
	}
	hr, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
	if err != nil || strict && doubleLength(head) {
		return nil, refused(notHTTP)
	}
	if strict && hr.TransferEncoding != nil {
		return nil, refused(noEncoding)
	}
	if hr.ContentLength > maxBody {
		return nil, refused("The request body is too large")
	}
	body, err := readBody(br, hr)
	if err != nil {
		return nil, nil // the client went away in the middle
	}
	r := &request{method: hr.Method, path: hr.URL.Path, query: hr.URL.Query(), last: hr.Close}
	r.readBody(body)
	return r, nil
}

// readBody reads the body that the head announces.
func readBody(br *bufio.Reader, hr *http.Request) ([]byte, error) {
	if hr.TransferEncoding != nil {
		return readChunks(br)
	}
	var body bytes.Buffer
	_, err := io.CopyN(&body, br, max(hr.ContentLength, 0))
	return body.Bytes(), err
}

// readHead reads up to the empty line, and no more than limit bytes.
func readHead(br *bufio.Reader, limit int) ([]byte, error) {
	var head []byte
	for {
		line, err := br.ReadSlice('\n')
		if head = append(head, line...); len(head) > limit {
			return nil, errHead
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return head, nil
		}
	}
}

// doubleLength says that a head has more than one Content-Length.
func doubleLength(head []byte) bool {
	return bytes.Count(bytes.ToLower(head), []byte("\ncontent-length:")) > 1
}

// readChunks reads a body of chunks, which the servers before 16.7.2 take.
func readChunks(br *bufio.Reader) ([]byte, error) {
	var body bytes.Buffer
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		var n int64
		if _, err := fmt.Sscanf(size, "%x", &n); err != nil || n < 0 || n > maxBody {
			return nil, fmt.Errorf("chunk of size %q", size)
		}
		if _, err := io.CopyN(&body, br, n); err != nil {
			return nil, err
		}
		if _, err := br.Discard(2); err != nil {
			return nil, err
		}
		if n == 0 || body.Len() > maxBody {
			return body.Bytes(), nil
		}
	}
}

func refused(message string) *reply {
	r := answerOf(nil, fail(errArgument, message), "")
	r.close, r.raw = true, true
	return r
}

// handle answers a request as far as the faults of the connection let it.
func (s *Server) handle(r *request) (*reply, error) {
	s.under.Add(1)
	defer s.under.Add(-1)
	post := strings.EqualFold(r.method, "POST")
	c := &call{request: r, d: s.Device, ctx: s.ctx}
	switch {
	case s.faults.On(FaultReset), post && s.faults.On(FaultHangUpNot):
		return nil, errBroken
	case s.faults.On(FaultHTML):
		return &reply{status: 502, kind: "text/html", body: []byte(badGateway)}, nil
	case s.faults.On(FaultPlain500):
		return &reply{status: 500, kind: "text/plain", body: []byte("Internal Server Error")}, nil
	}
	if err := c.while(FaultHang); err != nil {
		return nil, err
	}
	rep := s.answer(s.ctx, r)
	switch {
	case rep == nil:
		return nil, errEnded
	case post && s.faults.On(FaultHangUp):
		return nil, errBroken
	case post && s.faults.On(FaultPost500):
		return answerOf(nil, nsError("The operation couldn’t be completed"), s.SessionID()), nil
	case !post && s.faults.On(FaultEmpty):
		return &reply{status: 200, kind: jsonType}, nil
	case s.faults.On(FaultBadJSON):
		rep.body = rep.body[:len(rep.body)/2]
	}
	return rep, nil
}

const badGateway = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n" +
	"<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"

// write sends an answer. r is nil where the request could not be read.
func (s *Server) write(c net.Conn, r *request, rep *reply) error {
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", rep.status, http.StatusText(rep.status))
	fmt.Fprintf(&head, "Content-Type: %s\r\nContent-Length: %d\r\nServer: %s\r\n", rep.kind, len(rep.body), serverName)
	head.WriteString("Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: Content-Type, X-Requested-With\r\n")
	if rep.close {
		head.WriteString("Connection: close\r\n")
	}
	head.WriteString("\r\n")
	body := rep.body
	if r != nil && strings.EqualFold(r.method, "HEAD") {
		body = nil
	}
	if _, err := c.Write(head.Bytes()); err != nil {
		return err
	}
	if s.faults.On(FaultHalf) && !rep.raw && len(body) > 0 {
		_, err := c.Write(body[:len(body)/2])
		return errors.Join(errBroken, err)
	}
	return s.writeBody(c, body)
}

// writeBody sends the body, in pieces with the fault "trickle".
func (s *Server) writeBody(c net.Conn, body []byte) error {
	apart := s.faults.Duration(FaultTrickle)
	for apart > 0 && len(body) > 1024 {
		if _, err := c.Write(body[:1024]); err != nil {
			return err
		}
		body = body[1024:]
		if err := nap.For(s.ctx, apart); err != nil {
			return err
		}
	}
	_, err := c.Write(body)
	return err
}
