package adbd

import (
	"bufio"
	"context"
	"crypto/rand"
	"net"
	"sync"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/adbservice"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// The kinds of AUTH.
const (
	authToken     = 1
	authSignature = 2
	authPublicKey = 3
)

// checksumVersion is the last version of the protocol that has checksums.
const checksumVersion = 0x01000000

// link is the connection of one computer.
type link struct {
	a      *Daemon
	conn   net.Conn
	ctx    context.Context
	cancel context.CancelFunc

	writing sync.Mutex

	mu       sync.Mutex
	online   bool
	asking   bool // the owner is asked
	refused  int  // signatures
	maxData  uint32
	checksum bool
	lastID   uint32
	streams  map[uint32]*stream
	over     bool // the connection has ended
}

func newLink(a *Daemon, c net.Conn) *link {
	l := &link{a: a, conn: c, streams: map[uint32]*stream{}, checksum: a.device.Profile().Banner.Version == checksumVersion}
	l.ctx, l.cancel = context.WithCancel(a.ctx)
	return l
}

// run serves the connection until it breaks.
func (l *link) run() {
	defer l.a.forget(l)
	defer l.cancel()
	defer l.conn.Close()
	stop := context.AfterFunc(l.ctx, func() { _ = l.conn.Close() })
	defer stop()
	r := bufio.NewReaderSize(l.conn, 64<<10)
	for {
		p, err := readPacket(r)
		if err != nil {
			break
		}
		if !l.a.device.Faults().On(android.FaultOffline) { // an offline phone is silent
			l.handle(p)
		}
	}
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.breakAll()
}

func (l *link) handle(p packet) {
	l.mu.Lock()
	online := l.online
	l.mu.Unlock()
	switch {
	case p.cmd == cmdCnxn:
		l.connect(p)
	case p.cmd == cmdAuth:
		l.authenticate(p)
	case !online:
	case p.cmd == cmdOpen:
		l.open(p)
	case p.cmd == cmdOkay:
		l.stream(p, func(s *stream) { s.acknowledged(p.arg0) })
	case p.cmd == cmdWrte:
		l.stream(p, func(s *stream) { s.receive(p.data) })
	case p.cmd == cmdClse:
		l.stream(p, (*stream).closedByPeer)
	}
}

// stream finds the stream that a packet is for. A WRTE for a stream that is gone is answered by CLSE.
func (l *link) stream(p packet, f func(*stream)) {
	l.mu.Lock()
	s := l.streams[p.arg1]
	l.mu.Unlock()
	switch {
	case s != nil:
		f(s)
	case p.cmd == cmdWrte:
		l.send(packet{cmd: cmdClse, arg0: p.arg1, arg1: p.arg0})
	}
}

func (l *link) send(p packet) {
	l.writing.Lock()
	defer l.writing.Unlock()
	if _, err := l.conn.Write(p.encode(l.checksum)); err != nil {
		_ = l.conn.Close()
	}
}

// connect answers CNXN: with the banner, or by asking for a signature.
func (l *link) connect(p packet) {
	banner := l.a.device.Profile().Banner
	l.breakAll()
	l.mu.Lock()
	l.maxData = min(p.arg1, banner.MaxData)
	l.checksum = banner.Version == checksumVersion || p.arg0 == checksumVersion
	l.mu.Unlock()
	faults := l.a.device.Faults()
	l.a.mu.Lock()
	allowed := l.a.allowed
	l.a.mu.Unlock()
	switch {
	case faults.On(android.FaultAuthorizing):
		wait := faults.Duration(android.FaultAuthorizing)
		l.challenge()
		l.a.tasks.Go(func() {
			if nap.For(l.ctx, wait) == nil {
				l.welcome()
			}
		})
	case faults.On(android.FaultUnauthorized), l.a.opts.Auth && !allowed:
		l.challenge()
	default:
		l.welcome()
	}
}

// challenge asks for a signature of 20 random bytes.
func (l *link) challenge() {
	token := make([]byte, 20)
	_, _ = rand.Read(token) // never fails
	l.send(packet{cmd: cmdAuth, arg0: authToken, data: token})
}

// authenticate answers a signature or a public key. Signatures are counted, not verified: the phone has no
// list of computers.
func (l *link) authenticate(p packet) {
	unauthorized := l.a.device.Faults().On(android.FaultUnauthorized)
	switch p.arg0 {
	case authSignature:
		l.mu.Lock()
		l.refused++
		accepted := l.a.opts.Tries > 0 && l.refused > l.a.opts.Tries && !unauthorized
		l.mu.Unlock()
		if accepted {
			l.welcome()
			return
		}
		l.challenge()
	case authPublicKey:
		if l.ask() && !unauthorized {
			l.welcome()
		}
	}
}

// ask asks the owner, and says whether the computer is let in at once.
func (l *link) ask() bool {
	l.a.mu.Lock() // Allow lets in who asks by then, and later ones come to know of it here
	defer l.a.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asking = true
	return l.a.allowed || l.a.opts.Tries > 0 && l.refused >= l.a.opts.Tries
}

// allow lets a computer in that waits for the owner.
func (l *link) allow() {
	l.mu.Lock()
	asking := l.asking && !l.online
	l.mu.Unlock()
	if asking {
		l.welcome()
	}
}

// welcome sends the banner: from now on streams may be opened.
func (l *link) welcome() {
	banner := l.a.device.Profile().Banner
	l.mu.Lock()
	l.online = true
	l.mu.Unlock()
	l.send(packet{cmd: cmdCnxn, arg0: banner.Version, arg1: banner.MaxData, data: []byte(banner.String())})
}

// open answers OPEN: the service's name ends with a NUL.
func (l *link) open(p packet) {
	name := string(p.data)
	if n := len(name); n > 0 && name[n-1] == 0 {
		name = name[:n-1]
	}
	service := adbservice.Find(l.a.device, name, l.dial)
	if service == nil || p.arg0 == 0 {
		l.send(packet{cmd: cmdClse, arg1: p.arg0})
		return
	}
	l.mu.Lock()
	l.lastID++
	s := newStream(l, l.lastID, p.arg0)
	l.streams[s.local] = s
	l.mu.Unlock()
	l.send(packet{cmd: cmdOkay, arg0: s.local, arg1: s.remote})
	l.a.tasks.Go(func() { l.serve(s, service) })
}

// serve runs a service to its end. One that breaks the line takes the connection with it.
func (l *link) serve(s *stream, service adbservice.Service) {
	if err := service(l.ctx, s); err != nil {
		_ = l.conn.Close()
	}
	_ = s.Close()
	l.mu.Lock()
	delete(l.streams, s.local)
	l.mu.Unlock()
}

// breakAll ends every stream, as its peer is gone.
func (l *link) breakAll() {
	l.mu.Lock()
	streams := l.streams
	l.streams = map[uint32]*stream{}
	l.mu.Unlock()
	for _, s := range streams {
		s.lost()
	}
}
