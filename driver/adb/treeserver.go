package adb

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	portU2     = "tcp:9008" // of openatx's uiautomator2
	portAppium = "tcp:6790" // of Appium's UiAutomator2 server

	serverHello = 500 * time.Millisecond // a hung one accepts and stays silent
	serverTree  = 8 * time.Second
	// serverAgain is how long none that was found is believed.
	serverAgain = 20 * time.Second
	// serverDepth is asked of u2, which cuts off what is deeper without a word.
	serverDepth = 100
)

// treeServer remembers which automation server of somebody else runs on the phone. It is read from, as
// the phone has one automation only, and never started, stopped or given a session.
type treeServer struct {
	mu      sync.Mutex
	kind    string // portU2, portAppium or ""
	base    string // before Appium's paths
	session string // of Appium
	until   time.Time
	hello   time.Duration // how long a server may take to say that it is there,
	limit   time.Duration // and to give a tree
}

// serverTree asks a server on the phone for the tree. nil is that there is none, or that it gave none.
func (d *Driver) serverTree(ctx context.Context) *driver.Tree {
	if d.opts.NoTreeServer {
		return nil
	}
	s := &d.treeServer
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kind == "" && time.Now().Before(s.until) {
		return nil
	}
	if s.kind == "" {
		d.findTreeServer(ctx)
	}
	var t *driver.Tree
	var err error
	switch s.kind {
	case portU2:
		t, err = d.u2Tree(ctx)
	case portAppium:
		t, err = d.appiumTree(ctx)
	}
	if err != nil {
		d.log.DebugContext(ctx, "the automation server on the phone gives no tree", "server", s.kind, "error", err)
		s.kind = ""
	}
	if s.kind == "" && ctx.Err() == nil {
		s.until = time.Now().Add(serverAgain)
	}
	return t
}

// lookAgain has the next call look for a server: the phone's tool has met one.
func (s *treeServer) lookAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Time{}
}

// findTreeServer looks for a server that answers, and for Appium's session.
func (d *Driver) findTreeServer(ctx context.Context) {
	s := &d.treeServer
	ctx, cancel := context.WithTimeout(ctx, 4*s.hello)
	defer cancel()
	if pong, err := d.fetch(ctx, portU2, http.MethodGet, "/ping", nil); err == nil && string(pong) == "pong" {
		s.kind = portU2
		return
	}
	for _, base := range []string{"", "/wd/hub"} {
		data, err := d.fetch(ctx, portAppium, http.MethodGet, base+"/sessions", nil)
		if errors.Is(err, errRefused) {
			return
		}
		var reply struct{ Value []struct{ ID string } }
		if err == nil && json.Unmarshal(data, &reply) == nil && len(reply.Value) > 0 && plainVersion.MatchString(reply.Value[0].ID) {
			s.kind, s.base, s.session = portAppium, base, reply.Value[0].ID
			return
		}
	}
}

// u2Tree dumps through openatx's server. Its jar 0.4.0 and newer can be told to leave out all but the
// active window, and older ones refuse the word for that.
func (d *Driver) u2Tree(ctx context.Context) (*driver.Tree, error) {
	ctx, cancel := context.WithTimeout(ctx, d.treeServer.limit)
	defer cancel()
	xml, err := d.u2Call(ctx, "dumpWindowHierarchy", d.opts.CompressedTree, serverDepth, true)
	if err != nil && ctx.Err() == nil {
		xml, err = d.u2Call(ctx, "dumpWindowHierarchy", d.opts.CompressedTree, serverDepth)
	}
	if err != nil {
		return nil, err
	}
	info, err := d.u2Call(ctx, "deviceInfo")
	if err != nil {
		return nil, err
	}
	var text string
	var front struct{ CurrentPackageName string }
	if err := errors.Join(json.Unmarshal(xml, &text), json.Unmarshal(info, &front)); err != nil {
		return nil, err
	}
	t, err := ParseDump([]byte(text))
	if err != nil {
		return nil, err
	}
	return d.placed(frontWindows(t, front.CurrentPackageName)), nil
}

// frontWindows leaves the windows of the app in front, the largest first: the server gives those of all
// apps, in any order. With none of that app, or of none, the tree stays as it is.
func frontWindows(t *driver.Tree, app string) *driver.Tree {
	if t.Root.Class != "hierarchy" {
		return t // it has one window
	}
	var own []*driver.Node
	for _, n := range t.Root.Children {
		if packageOf([]*driver.Node{n}) == app {
			own = append(own, n)
		}
	}
	if len(own) == 0 {
		return t
	}
	area := func(n *driver.Node) int { return n.Bounds.Dx() * n.Bounds.Dy() }
	slices.SortStableFunc(own, func(a, b *driver.Node) int { return area(b) - area(a) })
	t.App.ID = app
	if len(own) == 1 {
		t.Root = own[0]
		return t
	}
	t.Root.Children, t.Root.Bounds = own, own[0].Bounds
	return t
}

// u2Call makes one call of JSON-RPC. The server reads a body without a charset as ASCII.
func (d *Driver) u2Call(ctx context.Context, method string, params ...any) (json.RawMessage, error) {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	data, err := d.fetch(ctx, portU2, http.MethodPost, "/jsonrpc/0", body)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	switch err := json.Unmarshal(data, &reply); {
	case err != nil:
		return nil, err
	case reply.Error != nil:
		return nil, fmt.Errorf("%s: %d %s", method, reply.Error.Code, shorten(reply.Error.Message))
	case len(reply.Result) == 0 || string(reply.Result) == "null":
		return nil, fmt.Errorf("%s: no result", method)
	}
	return reply.Result, nil
}

// appiumTree reads the source of the session that somebody has open.
func (d *Driver) appiumTree(ctx context.Context) (*driver.Tree, error) {
	ctx, cancel := context.WithTimeout(ctx, d.treeServer.limit)
	defer cancel()
	data, err := d.fetch(ctx, portAppium, http.MethodGet, d.treeServer.base+"/session/"+d.treeServer.session+"/source", nil)
	if err != nil {
		return nil, err
	}
	var reply struct{ Value string }
	if err := json.Unmarshal(data, &reply); err != nil {
		return nil, err
	}
	t, err := ParseDump([]byte(reply.Value))
	if err != nil {
		return nil, err
	}
	return d.placed(t), nil
}

// fetch makes one HTTP request to a port of the phone, on a connection of its own: these servers drop
// those that rest.
func (d *Driver) fetch(ctx context.Context, socket, method, path string, body []byte) ([]byte, error) {
	sock, err := d.server.open(ctx, d.serial, socket, nil)
	if err != nil {
		return nil, err
	}
	defer sock.close()
	hello := time.AfterFunc(d.treeServer.patience(path), func() { _ = sock.conn.Close() })
	defer hello.Stop()
	r, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Close = true
	if err := r.Write(sock.conn); err != nil {
		return nil, sock.err(ctx, err)
	}
	reply, err := http.ReadResponse(bufio.NewReader(sock.r), r)
	if err != nil {
		return nil, sock.err(ctx, err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(io.LimitReader(reply.Body, maxDump))
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d", path, reply.StatusCode)
	}
	return data, sock.err(ctx, err)
}

// patience is how long a request may take: those that only look whether anybody is there, not long.
func (s *treeServer) patience(path string) time.Duration {
	if path == "/ping" || strings.HasSuffix(path, "/sessions") {
		return s.hello
	}
	return s.limit
}
