package android

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// appiumID is the id of the session that the fault appium-session stands for.
const appiumID = "6f2e91c4-3b7d-4a1e-9c55-0d1f5a7b8e21"

// maxAppiumBody bounds the body of a request to Appium's server, in bytes.
const maxAppiumBody = 64 << 10

// serveAppium serves one connection of Appium's UiAutomator2 server.
func (d *Device) serveAppium(ctx context.Context, conn io.ReadWriteCloser) {
	webServer{idle: time.Minute, handle: d.answerAppium}.serve(ctx, conn)
}

// appiumSession is the id of the session, "" for none.
func (d *Device) appiumSession() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.helpers.session == "" && d.faults.On(FaultAppiumSession) {
		return appiumID
	}
	return d.helpers.session
}

func (d *Device) answerAppium(ctx context.Context, r *http.Request, body []byte) *answer {
	d.noteHelper("appium", r)
	path, prefixed := strings.CutPrefix(r.URL.Path, "/wd/hub")
	switch {
	case d.faults.On(FaultAppiumOld) && !prefixed:
		return appiumError(404, "unknown command", "The requested resource could not be found")
	case len(body) > maxAppiumBody:
		return &answer{status: 413, kind: "text/plain", close: true}
	}
	session := d.appiumSession()
	switch r.Method + " " + path {
	case "GET /status":
		return appiumValue("None", map[string]any{"ready": true, "message": "UiAutomator2 Server is ready to accept commands",
			"build": map[string]any{"version": "7.0.5", "versionCode": 213}})
	case "GET /sessions":
		list := []any{}
		if session != "" {
			list = append(list, map[string]any{"id": session, "sessionId": session, "capabilities": map[string]any{}})
		}
		return appiumValue("None", list)
	case "POST /session":
		return d.newAppiumSession()
	}
	id, command, _ := strings.Cut(strings.TrimPrefix(path, "/session/"), "/")
	switch {
	case !strings.HasPrefix(path, "/session/"):
		return appiumError(404, "unknown command", "The requested resource could not be found")
	case id != session || session == "":
		return appiumError(404, "invalid session id", "The session identified by "+id+" is not known")
	}
	return d.appiumCommand(ctx, r.Method+" "+command, session)
}

// newAppiumSession replaces the only session.
func (d *Device) newAppiumSession() *answer {
	d.mu.Lock()
	d.helpers.session = "9a0b7c11-6d3e-4f52-8a44-" + strconv.Itoa(100000000000+len(d.helpers.requests))
	id := d.helpers.session
	d.mu.Unlock()
	return appiumValue(id, map[string]any{"sessionId": id, "capabilities": map[string]any{}})
}

func (d *Device) appiumCommand(ctx context.Context, command, session string) *answer {
	switch command {
	case "DELETE ":
		_ = d.faults.Switch(FaultAppium, false) // the name is known
		return appiumValue(session, nil)
	case "POST appium/settings":
		return appiumValue(session, nil)
	case "GET source":
		return d.appiumSource(ctx, session)
	}
	return appiumError(404, "unknown command", "The requested resource could not be found")
}

func (d *Device) appiumSource(ctx context.Context, session string) *answer {
	if nap.For(ctx, d.faults.Duration(FaultAppiumSlow)) != nil {
		return nil
	}
	tree := d.phone.Tree()
	if tree == nil || d.faults.On(FaultAppiumNoRoot) {
		return appiumError(500, "unknown error", "Timed out after 10000ms waiting for the root AccessibilityNodeInfo in the active window. "+
			"Make sure the active window is not constantly hogging the main UI thread")
	}
	return appiumValue(session, d.appiumXML(tree.Root))
}

func appiumValue(session string, value any) *answer {
	return appiumJSON(200, map[string]any{"sessionId": session, "value": value})
}

func appiumError(status int, kind, text string) *answer {
	return appiumJSON(status, map[string]any{"sessionId": "None", "value": map[string]any{"error": kind, "message": text,
		"stacktrace": "io.appium.uiautomator2.common.exceptions." + kind + "\n\tat io.appium.uiautomator2.server.AppiumServlet.handleHttpRequest"}})
}

func appiumJSON(status int, reply any) *answer {
	b, err := json.Marshal(reply)
	if err != nil {
		return &answer{status: 500, kind: "text/plain", body: []byte(err.Error())}
	}
	return &answer{status: status, kind: "application/json; charset=UTF-8", body: b}
}

// appiumXML is the source of the active window: the tags are class names.
func (d *Device) appiumXML(root *driver.Node) string {
	size := d.logicalSize()
	x := &xmlWriter{scale: d.scale(), maxDepth: 70}
	x.raw("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy index=\"0\" class=\"hierarchy\" rotation=\"" + itoa(d.phone.Rotation()) +
		"\" width=\"" + itoa(size.X) + "\" height=\"" + itoa(size.Y) + "\">")
	x.appiumNode(d.enlarged(root), 0)
	x.raw("</hierarchy>")
	return string(x.b)
}

// tagName makes an element's name of a class name.
func tagName(class string) string {
	if class == "" {
		return "android.view.View"
	}
	return strings.NewReplacer("$", ".", "@", ".", "#", ".", "&", ".").Replace(class)
}

func (x *xmlWriter) appiumNode(n *driver.Node, index int) {
	tag := tagName(n.Class)
	x.count++
	x.raw("<" + tag)
	x.attr("index", strconv.Itoa(index))
	x.attr("package", n.Package)
	x.attr("class", n.Class)
	x.attr("text", shownText(n))
	for _, a := range [][2]string{{"content-desc", n.Desc}, {"resource-id", n.ID}} {
		if a[1] != "" {
			x.attr(a[0], a[1])
		}
	}
	for _, f := range nodeFlags {
		x.flag(f.name, n.Flags&f.flag != 0)
	}
	x.attr("bounds", x.bounds(n.Bounds))
	x.flag("displayed", true)
	if n.Hint != "" {
		x.attr("hint", n.Hint)
	}
	x.flag("a11y-important", true)
	if len(n.Children) == 0 || x.depth+1 >= x.maxDepth {
		x.raw(" />")
		return
	}
	x.raw(">")
	x.depth++
	for i, c := range n.Children {
		x.appiumNode(c, i)
	}
	x.depth--
	x.raw("</" + tag + ">")
}
