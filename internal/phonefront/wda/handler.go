package wda

import (
	"io"
	"net/http"
	"strconv"
)

// ServeHTTP answers one request, for a server of the caller's own. The faults of the connection need the
// Server of Listen, and have no effect here.
func (d *Device) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	rep := d.reply(hr)
	if rep == nil { // the client is gone
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	h.Set("Content-Type", rep.kind)
	h.Set("Content-Length", strconv.Itoa(len(rep.body)))
	h.Set("Server", serverName)
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Headers", "Content-Type, X-Requested-With")
	if rep.close {
		h.Set("Connection", "close")
	}
	w.WriteHeader(rep.status)
	_, _ = w.Write(rep.body) // a client that is gone needs no answer
}

func (d *Device) reply(hr *http.Request) *reply {
	if hr.TransferEncoding != nil && d.version.atLeast(strictServer) {
		return refused(noEncoding)
	}
	body, err := io.ReadAll(io.LimitReader(hr.Body, maxBody))
	if err != nil {
		return refused(notHTTP)
	}
	r := &request{method: hr.Method, path: hr.URL.Path, query: hr.URL.Query()}
	r.readBody(body)
	return d.answer(hr.Context(), r)
}
