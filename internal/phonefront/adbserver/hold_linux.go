package adbserver

import (
	"net"
	"os"
	"syscall"
)

// holdPort binds a socket to an address such as "127.0.0.1:0" and returns the address that it got. The socket keeps the
// port for Restart: it never listens, so that a killed server refuses connections, and the system gives the port to
// nobody else. Where there is nothing to hold, held is nil.
func holdPort(addr string) (held *os.File, at string) {
	a, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil || a.IP == nil {
		return nil, addr
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, addr
	}
	held = os.NewFile(uintptr(fd), addr)
	if at, err = bind(fd, a); err != nil {
		_ = held.Close()
		return nil, addr
	}
	return held, at
}

// bind lets a listener have the same port.
func bind(fd int, a *net.TCPAddr) (at string, err error) {
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return "", err
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Port: a.Port, Addr: [4]byte(a.IP.To4())}); err != nil {
		return "", err
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		return "", err
	}
	got := &net.TCPAddr{IP: a.IP, Port: name.(*syscall.SockaddrInet4).Port}
	return got.String(), nil
}
