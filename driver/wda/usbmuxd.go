package wda

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/electricbubble/gidevice/pkg/libimobiledevice"

	"github.com/handset-go/handset/driver"
)

// usbmuxd is the system's service that carries connections to phones on USB. gidevice makes and reads the messages; the connection is
// ours, as gidevice's has no context, waits for 30 s and knows one socket.
type usbmuxd struct{ network, address string }

// usbmuxdSocket is where usbmuxd listens.
const (
	usbmuxdSocket  = "/var/run/usbmuxd"
	usbmuxdWindows = "127.0.0.1:27015"
)

// newUsbmuxd reads an address as USBMUXD_SOCKET_ADDRESS has it: UNIX:PATH or HOST:PORT, or a path.
func newUsbmuxd(address string) *usbmuxd {
	switch {
	case address == "" && runtime.GOOS == "windows":
		return &usbmuxd{"tcp", usbmuxdWindows}
	case address == "":
		return &usbmuxd{"unix", usbmuxdSocket}
	case len(address) > 5 && strings.EqualFold(address[:5], "unix:"):
		return &usbmuxd{"unix", address[5:]}
	case strings.Contains(address, "/"):
		return &usbmuxd{"unix", address}
	}
	return &usbmuxd{"tcp", address}
}

// usbDevice is a phone that usbmuxd knows.
type usbDevice struct {
	id      int
	udid    string
	network bool // over Wi-Fi
}

// open connects to usbmuxd. The connection obeys ctx until free is called.
func (u *usbmuxd) open(ctx context.Context) (conn net.Conn, free func(), err error) {
	var d net.Dialer
	if conn, err = d.DialContext(ctx, u.network, u.address); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("%w: usbmuxd does not answer at %s: install and start it, or use HOST:PORT: %w", driver.ErrNoDevice, u.address, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	return conn, func() { stop() }, nil
}

// list returns the phones that are attached. One that is on USB and on Wi-Fi is there once, by USB.
func (u *usbmuxd) list(ctx context.Context) ([]usbDevice, error) {
	conn, free, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { free(); _ = conn.Close() }()
	var messages libimobiledevice.UsbmuxClient
	var reply struct {
		DeviceList []libimobiledevice.BaseDevice `plist:"DeviceList"`
	}
	if err := exchange(conn, messages.NewBasicRequest(libimobiledevice.MessageTypeDeviceList), &reply); err != nil {
		return nil, orContext(ctx, fmt.Errorf("usbmuxd: the list of phones: %w", err))
	}
	byUDID := map[string]usbDevice{}
	for _, in := range reply.DeviceList {
		d := usbDevice{id: in.DeviceID, udid: orElse(in.Properties.SerialNumber, in.Properties.UDID), network: in.Properties.ConnectionType == "Network"}
		if had, ok := byUDID[d.udid]; !ok || had.network {
			byUDID[d.udid] = d
		}
	}
	var all []usbDevice
	for _, d := range byUDID {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b usbDevice) int { return strings.Compare(a.udid, b.udid) })
	return all, nil
}

// choose returns the UDID of the phone that is meant, as usbmuxd writes it; "" is the only one.
func (u *usbmuxd) choose(ctx context.Context, udid string) (string, error) {
	all, err := u.list(ctx)
	if err != nil {
		return "", err
	}
	d, err := pick(all, udid)
	return d.udid, err
}

func pick(all []usbDevice, udid string) (usbDevice, error) {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.udid
		if udid != "" && sameUDID(d.udid, udid) {
			return d, nil
		}
	}
	switch {
	case udid == "" && len(all) == 1:
		return all[0], nil
	case len(all) == 0:
		return usbDevice{}, fmt.Errorf("%w: no iPhone is attached: plug one in, unlock it and trust this computer, or use wda://HOST:PORT", driver.ErrNoDevice)
	case udid == "":
		return usbDevice{}, fmt.Errorf("%w: %s", driver.ErrSeveralDevices, strings.Join(names, ", "))
	}
	return usbDevice{}, fmt.Errorf("%w: %s is not attached; attached: %s", driver.ErrNoDevice, udid, strings.Join(names, ", "))
}

// sameUDID compares without the dash, which some tools leave out.
func sameUDID(a, b string) bool {
	plain := func(s string) string { return strings.ReplaceAll(s, "-", "") }
	return strings.EqualFold(plain(a), plain(b))
}

// connect returns a connection to a port of the phone. A phone that was plugged in again has another number, so that it is looked
// up each time.
func (u *usbmuxd) connect(ctx context.Context, udid string, port int) (net.Conn, error) {
	all, err := u.list(ctx)
	if err != nil {
		return nil, err
	}
	phone, err := pick(all, udid)
	if err != nil {
		return nil, err
	}
	conn, free, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	var messages libimobiledevice.UsbmuxClient
	err = exchange(conn, messages.NewConnectRequest(phone.id, port), nil)
	free()
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = conn.Close()
		return nil, orContext(ctx, connectError(err, phone, port))
	}
	return conn, nil
}

func connectError(err error, phone usbDevice, port int) error {
	var code muxError
	switch errors.As(err, &code); libimobiledevice.ReplyCode(code) {
	case libimobiledevice.ReplyCodeBadDevice:
		return fmt.Errorf("%w: usbmuxd lost %s: plug it in again: %w", driver.ErrOffline, phone.udid, err)
	case libimobiledevice.ReplyCodeConnectionRefused:
		return fmt.Errorf("%w: nothing listens on port %d of %s: start WebDriverAgent there (its port is set by USE_PORT): %w",
			driver.ErrOffline, port, phone.udid, err)
	}
	return fmt.Errorf("%w: usbmuxd: a connection to port %d of %s: %w", driver.ErrOffline, port, phone.udid, err)
}

// muxError is a reply of usbmuxd that is not OK.
type muxError libimobiledevice.ReplyCode

func (e muxError) Error() string { return "usbmuxd says: " + libimobiledevice.ReplyCode(e).String() }

func orContext(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

const (
	muxHeader = 16
	// muxPlist is the version of the protocol with property lists. gidevice keeps it to itself, in a client that dials by itself.
	muxPlist = 1
	// maxMux bounds one message.
	maxMux = 4 << 20
)

// exchange sends a request and reads the reply into out, which may be nil.
func exchange(conn net.Conn, request, out any) error {
	var messages libimobiledevice.UsbmuxClient
	packet, err := messages.NewPlistPacket(request)
	if err != nil {
		return err
	}
	raw, err := packet.Pack()
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(raw[4:], muxPlist)
	if _, err := conn.Write(raw); err != nil {
		return err
	}
	head := make([]byte, 4)
	if _, err := io.ReadFull(conn, head); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(head)
	if n < muxHeader || n > maxMux {
		return fmt.Errorf("a message of %d bytes", n)
	}
	whole := append(head, make([]byte, n-4)...)
	if _, err := io.ReadFull(conn, whole[4:]); err != nil {
		return err
	}
	if packet, err = packet.Unpack(bytes.NewBuffer(whole)); err != nil {
		return err
	}
	var result struct {
		MessageType string `plist:"MessageType"`
		Number      uint64 `plist:"Number"`
	}
	if err := packet.Unmarshal(&result); err != nil {
		return err
	}
	if result.MessageType == "Result" && result.Number != 0 {
		return muxError(result.Number)
	}
	if out == nil {
		return nil
	}
	return packet.Unmarshal(out)
}
