package android

import (
	"context"
	"encoding/json"
	"image"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// u2Jar is openatx's server as app_process starts it. It lives as long as its shell.
func (p *proc) u2Jar(ctx context.Context, args []string) int {
	d, port := p.d, "9008"
	if len(args) > 1 && args[0] == "-p" {
		port = args[1]
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return p.Fail(1, "Invalid port: %s. Port must be between 1 and 65535", port)
		}
	}
	p.Print("[server] INFO: [UiAutomator2Server] Starting Server\n")
	if !d.claimJar() {
		return p.Fail(1, alreadyRegistered)
	}
	defer d.dropJar() // once nothing listens any more
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop, free := d.listenFor("tcp:"+port, -1, func(streamCtx context.Context, conn io.ReadWriteCloser) {
		streamCtx, cancelStream := context.WithCancel(streamCtx)
		defer cancelStream()
		defer context.AfterFunc(ctx, cancelStream)()
		d.serveU2(streamCtx, conn)
	})
	if !free {
		return p.Fail(1, "java.net.BindException: Address already in use")
	}
	defer stop()
	p.Print("SLF4J: Failed to load class \"org.slf4j.impl.StaticLoggerBinder\".\n[server] INFO: http server listening on *:%s\n", port)
	<-ctx.Done()
	return 137
}

// claimJar says that u2.jar runs, if nothing else holds the connection that it needs.
func (d *Device) claimJar() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.helpers.jar || d.helpers.dumps > 0 || d.faults.On(FaultU2Server) || d.faults.On(FaultAppium) {
		return false
	}
	d.helpers.jar = true
	return true
}

func (d *Device) dropJar() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.helpers.jar = false
}

// serveU2 serves one connection of openatx's uiautomator2 server.
func (d *Device) serveU2(ctx context.Context, conn io.ReadWriteCloser) {
	if d.faults.On(FaultU2Hung) {
		webServer{idle: time.Hour, handle: func(context.Context, *http.Request, []byte) *answer { return nil }}.serve(ctx, conn)
		return
	}
	webServer{idle: 5 * time.Second, handle: d.answerU2}.serve(ctx, conn)
}

func (d *Device) answerU2(ctx context.Context, r *http.Request, body []byte) *answer {
	d.noteHelper("u2", r)
	switch {
	case r.URL.Path == "/ping":
		return &answer{status: 200, kind: "text/plain", body: []byte("pong")}
	case r.URL.Path == "/screenshot/0":
		return &answer{status: 200, kind: "image/png", body: d.pngBytes()}
	case r.URL.Path == "/stop":
		_ = d.faults.Switch(FaultU2Server, false) // the name is known
		return &answer{status: 200, kind: "text/plain", body: []byte("Server stopped!!!"), close: true}
	case r.URL.Path == "/jsonrpc/0" && r.Method == http.MethodPost:
		return &answer{status: 200, kind: "application/json", body: d.u2Call(ctx, asASCII(r, body))}
	}
	return &answer{status: 404, kind: "text/plain", body: []byte("Not Found!!!")}
}

// rpcError is the error of a JSON-RPC answer.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

// u2Call answers one JSON-RPC call.
func (d *Device) u2Call(ctx context.Context, body []byte) []byte {
	var call struct {
		ID     json.RawMessage   `json:"id"`
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	reply := map[string]any{"jsonrpc": "2.0", "id": nil}
	if err := json.Unmarshal(body, &call); err != nil {
		reply["error"] = rpcError{Code: -32700, Message: "JSON parse error"}
	} else {
		reply["id"] = call.ID
		result, failed := d.u2Method(ctx, call.Method, call.Params)
		if failed != nil {
			reply["error"] = failed
		} else {
			reply["result"] = result
		}
	}
	b, err := json.Marshal(reply)
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return b
}

// params reads the arguments of a call into pointers. Fewer may be given.
func params(given []json.RawMessage, into ...any) *rpcError {
	for i, p := range into {
		if i < len(given) && json.Unmarshal(given[i], p) != nil {
			return &rpcError{Code: -32602, Message: "method parameters invalid"}
		}
	}
	return nil
}

func (d *Device) u2Method(ctx context.Context, method string, given []json.RawMessage) (any, *rpcError) {
	var x, y, toX, toY float64
	var text, label string
	steps := 55
	switch method {
	case "dumpWindowHierarchy":
		return d.u2Dump(ctx, given)
	case "deviceInfo":
		return d.u2Info(), nil
	case "click":
		if err := params(given, &x, &y); err != nil {
			return nil, err
		}
		d.passTime()
		d.phone.Tap(d.point(x, y))
	case "swipe":
		if err := params(given, &x, &y, &toX, &toY, &steps); err != nil {
			return nil, err
		}
		d.passTime()
		d.phone.Swipe(d.point(x, y), d.point(toX, toY), time.Duration(steps)*5*time.Millisecond)
	case "pressKey":
		if err := params(given, &text); err != nil {
			return nil, err
		}
		d.passTime()
		d.pressKey(u2Keys[text])
		return u2Keys[text] != 0, nil
	case "setClipboard":
		if err := params(given, &label, &text); err != nil {
			return nil, err
		}
		d.phone.SetClipboard(text)
	case "getClipboard":
		return d.phone.Clipboard(), nil
	case "pasteClipboard":
		d.pressKey(keyPaste)
	default:
		return nil, &rpcError{Code: -32601, Message: "method not found"}
	}
	return true, nil
}

var u2Keys = map[string]int{"home": 3, "back": 4, "left": 21, "right": 22, "up": 19, "down": 20, "center": 23, "menu": 82, "search": 84,
	"enter": 66, "delete": 67, "recent": 187, "volume_up": 24, "volume_down": 25, "volume_mute": 164, "camera": 27, "power": 26}

// u2Dump is the tree of all windows. Nodes that are deeper than the second parameter are left out.
func (d *Device) u2Dump(ctx context.Context, given []json.RawMessage) (any, *rpcError) {
	compressed, depth := false, 50
	if err := params(given, &compressed, &depth); err != nil {
		return nil, err
	}
	if err := nap.For(ctx, d.faults.Duration(FaultU2Slow)); err != nil {
		return nil, &rpcError{Code: -32001, Message: "java.lang.InterruptedException"}
	}
	if d.faults.On(FaultU2Error) {
		return nil, &rpcError{Code: -32001, Message: "java.lang.IllegalStateException",
			Data: "java.lang.IllegalStateException: UiAutomation not connected, UiAutomation@1a2b3c[id=-1, displayId=0, flags=0]\n\tat android.app.UiAutomation.throwIfNotConnectedLocked(UiAutomation.java:1234)"}
	}
	x := &xmlWriter{style: dumpStyle{resourceID: true}, hints: true, u2: true, compressed: compressed, maxDepth: depth, scale: d.scale()}
	x.raw("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"" + itoa(d.phone.Rotation()) + "\"")
	roots := d.u2Roots()
	if len(roots) == 0 {
		x.raw(" />")
		return string(x.b), nil
	}
	x.raw(">")
	for i, root := range roots {
		x.node(root, i)
	}
	x.raw("</hierarchy>")
	return string(x.b), nil
}

// u2Roots are the roots of all windows, in no order that a client may count on.
func (d *Device) u2Roots() []*driver.Node {
	tree := d.phone.Tree()
	if d.faults.On(FaultU2Empty) || tree == nil {
		return nil
	}
	var roots []*driver.Node
	for _, w := range d.phone.Windows() {
		root := w.Root
		if root == nil {
			continue
		}
		if w.Active {
			root = d.enlarged(root)
		}
		roots = append(roots, root)
	}
	slices.SortStableFunc(roots, func(a, b *driver.Node) int { return len(objectHash(a.Package)) - len(objectHash(b.Package)) })
	return roots
}

func (d *Device) u2Info() map[string]any {
	size, dpi := d.logicalSize(), d.logicalDensity()
	dp := image.Pt(size.X*160/dpi, size.Y*160/dpi)
	return map[string]any{"currentPackageName": d.phone.Foreground().ID, "displayHeight": size.Y, "displayWidth": size.X,
		"displayRotation": d.phone.Rotation(), "displaySizeDpX": dp.X, "displaySizeDpY": dp.Y, "productName": d.profile.Banner.Product,
		"screenOn": d.phone.Power().On, "sdkInt": d.profile.SDK, "naturalOrientation": d.phone.Rotation()%2 == 0}
}
