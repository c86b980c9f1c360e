package android

import (
	"context"
	"io"
	"strings"
)

// runNc connects to a port, through a reverse forward of the phone, and relays its input and output.
func runNc(ctx context.Context, p *proc) int {
	_, rest, unknown := p.Options("n", "wq")
	if unknown != 0 || len(rest) != 2 {
		return p.Fail(1, "usage: netcat [-u] [-wpq #] {IPADDR PORTNUM}")
	}
	host, port := rest[0], rest[1]
	if host != "127.0.0.1" && host != "localhost" && !strings.HasPrefix(host, "127.") {
		return p.Fail(1, "nc: connect: Network is unreachable")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, ok := p.d.dialOut(ctx, "tcp:"+port)
	if !ok {
		return p.Fail(1, "nc: connect: Connection refused")
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	go func() { _, _ = io.Copy(conn, p.In) }() // it ends with the input, which ends with the command
	_, _ = io.Copy(p.Out, conn)
	_ = conn.Close()
	return 0
}
