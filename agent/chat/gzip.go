package chat

import (
	"compress/gzip"
	"io"
	"net/http"
)

// plain returns the body without the gzip that a transport may have left on it.
func plain(resp *http.Response) io.Reader { return plainOf(resp, resp.Body) }

func plainOf(resp *http.Response, body io.Reader) io.Reader {
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return body
	}
	return &gunzip{from: body}
}

// gunzip opens the gzip stream at the first read: opening it waits for bytes.
type gunzip struct {
	from io.Reader
	z    *gzip.Reader
}

// Read reads uncompressed bytes.
func (g *gunzip) Read(p []byte) (int, error) {
	if g.z == nil {
		z, err := gzip.NewReader(g.from)
		if err != nil {
			return 0, err
		}
		g.z = z
	}
	return g.z.Read(p)
}
