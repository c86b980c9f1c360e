package sim

import (
	"fmt"
	"strings"
)

// OpenURL opens a URL in the app that takes it: the browser, for http and https. Others are an error.
func (p *Phone) OpenURL(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	scheme, _, ok := strings.Cut(url, ":")
	if !ok || scheme != "http" && scheme != "https" {
		return fmt.Errorf("no app opens this URL; the phone knows http and https")
	}
	p.emit("url", map[string]any{"url": url})
	p.values["browser.url"] = url
	p.start(p.face.appID("com.android.browser"))
	p.changed()
	return nil
}
