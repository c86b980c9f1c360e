package hdc

import (
	"bytes"
	"context"
	"encoding/gob"
	"io"
	"net"
	"sync"
)

// request is what the tool asks of the server: one for each connection.
type request struct {
	Op      string // an op below
	Key     string // of the phone, "" for the only one
	Host    string // of the server that the tool was told to use, "" for the usual one
	Port    int    // of the server that the tool was told to use, 0 for the usual one
	NoStart bool   // the server shall not be started
	Args    []string
	Files   []file
}

// The operations.
const (
	opVersion   = "version" // of the tool; needs no server
	opCommand   = "command" // Args, answered by the server itself
	opShell     = "shell"   // Args[0] is the command line
	opPush      = "push"    // Files to the path Args[0]
	opPull      = "pull"    // the path Args[0]
	opReady     = "ready"   // only whether there is a phone
	opInstall   = "install" // Files, each a package
	opUninstall = "uninstall"
)

// file is a file or folder that is moved, by its path below what was asked for; "" is that itself.
type file struct {
	Path string
	Dir  bool
	Data []byte
}

// reply is a piece of the answer. The last one has End.
type reply struct {
	Out, Err []byte
	Files    []file
	OK       bool
	Coded    bool // with OK: the tool prints the codes of its failures
	End      bool
}

// answer writes replies. It may be used from several goroutines.
type answer struct {
	mu   sync.Mutex
	enc  *gob.Encoder
	crlf bool // line ends as a Windows build writes them
}

func (a *answer) send(r reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.crlf {
		r.Out = bytes.ReplaceAll(r.Out, []byte("\n"), []byte("\r\n"))
	}
	_ = a.enc.Encode(&r) // a tool that was killed needs no answer; the phone goes on
}

// Write sends what a command prints.
func (a *answer) Write(p []byte) (int, error) {
	a.send(reply{Out: p})
	return len(p), nil
}

// print sends a text and ends the answer.
func (a *answer) print(text string) { a.send(reply{Out: []byte(text), End: true}) }

// ask sends a request to a server and calls got for each reply. An error says that the server is not there
// or went away, or that ctx ended.
func ask(ctx context.Context, addr string, r request, got func(reply)) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if err := gob.NewEncoder(conn).Encode(&r); err != nil {
		return err
	}
	dec := gob.NewDecoder(conn)
	for {
		var p reply
		if err := dec.Decode(&p); err != nil {
			return err
		}
		got(p)
		if p.End {
			return nil
		}
	}
}

// decode reads the one request of a connection.
func decode(r io.Reader) (request, error) {
	var q request
	err := gob.NewDecoder(r).Decode(&q)
	return q, err
}
