//go:build !linux

package adbserver

import "os"

// holdPort holds nothing: elsewhere a socket that only keeps a port would keep the listener out, too.
func holdPort(addr string) (held *os.File, at string) { return nil, addr }
