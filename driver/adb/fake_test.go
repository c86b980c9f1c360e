package adb

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// gadb's call to a server that does not answer ends only with gadb's own time-out.
	goleak.VerifyTestMain(m)
}

// fake is an adb server with one phone, whose shell is a function: for what the protocol fronts
// cannot be made to do.
type fake struct {
	t        *testing.T
	listener net.Listener
	addr     string
	wg       sync.WaitGroup

	mu       sync.Mutex
	devices  string // the answer of devices-l
	features string
	shell    func(line string) answer
	host     func(service string) (string, bool) // answers FAIL with a text
	says     map[string]string                   // what services that begin so answer, after OKAY
	lines    []string                            // every command line that was opened
	files    map[string][]byte
	conns    map[net.Conn]bool
	stopped  bool
	linger   bool // keeps its half of a connection open after the answer
	piece    int  // bytes of a packet of standard output, 0 for all in one
}

// answer is what a command prints and how it ends.
type answer struct {
	out, err string
	code     int
	hang     bool // prints, and then nothing more ever
	drop     bool // prints, and then the line breaks
	refuse   bool // the phone does not open the service
}

const fakeSerial = "FAKE1"

func newFake(t *testing.T) *fake {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f := &fake{
		t: t, listener: l, addr: l.Addr().String(), devices: fakeSerial + "\tdevice product:p model:Fake_Phone device:d transport_id:1\n",
		features: "shell_v2,cmd,stat_v2,ls_v2", files: map[string][]byte{}, conns: map[net.Conn]bool{},
	}
	f.wg.Go(f.serve)
	t.Cleanup(f.stop)
	return f
}

func (f *fake) serve() {
	for {
		c, err := f.listener.Accept()
		if err != nil {
			return
		}
		f.mu.Lock()
		if f.stopped {
			_ = c.Close()
		}
		f.conns[c] = true
		f.mu.Unlock()
		f.wg.Go(func() {
			defer func() {
				_ = c.Close()
				f.mu.Lock()
				delete(f.conns, c)
				f.mu.Unlock()
			}()
			f.client(c)
		})
	}
}

// stop ends the server as a kill does: nobody gets another byte.
func (f *fake) stop() {
	_ = f.listener.Close()
	f.mu.Lock()
	f.stopped = true
	for c := range f.conns {
		_ = c.Close()
	}
	f.mu.Unlock()
	f.wg.Wait()
}

// on has the phone's shell answer a line that contains key; the first match counts, and the rest
// prints nothing.
func (f *fake) on(pairs ...any) {
	f.setShell(func(line string) answer {
		for i := 0; i+1 < len(pairs); i += 2 {
			if strings.Contains(line, pairs[i].(string)) {
				switch a := pairs[i+1].(type) {
				case string:
					return answer{out: a}
				case answer:
					return a
				}
			}
		}
		return answer{}
	})
}

func (f *fake) setShell(shell func(line string) answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shell = shell
}

// ran returns the command lines since the last call that contain part.
func (f *fake) ran(part string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []string
	for _, l := range f.lines {
		if strings.Contains(l, part) {
			found = append(found, l)
		}
	}
	f.lines = nil
	return found
}

// open opens the phone, whose probe answers with a screen of 1080x2400.
func (f *fake) open(change ...func(*Options)) *Driver {
	f.t.Helper()
	o := &Options{Server: f.addr, NoStart: true, KeyboardWait: time.Millisecond, PlainShell: true, Screens: screensPNG}
	for _, c := range change {
		c(o)
	}
	d, err := New(f.t.Context(), fakeSerial, o)
	require.NoError(f.t, err)
	d.opts.Limit = patience
	f.t.Cleanup(func() { require.NoError(f.t, d.Close()) })
	f.ran("")
	return d
}

// probe answers what New asks.
func probe(line string) (answer, bool) {
	if !strings.Contains(line, "getprop ro.build.version.sdk") {
		return answer{}, false
	}
	var b strings.Builder
	for i, part := range []string{"14", "34", "Fake Phone", "Physical size: 1080x2400", "  Display: mDisplayId=0\n    init=1080x2400 420dpi cur=1080x2400 app=1080x2300", "\nnull", "zh-Hans-CN"} {
		fmt.Fprintf(&b, "%s\n%s\n", sectionLabel(i), part)
	}
	return answer{out: b.String()}, true
}

func frame(s string) string { return fmt.Sprintf("%04x%s", len(s), s) }

func (f *fake) client(c net.Conn) {
	r := bufio.NewReader(c)
	for {
		service, err := readService(r)
		if err != nil {
			return
		}
		f.mu.Lock()
		host, devices, features := f.host, f.devices, f.features
		f.mu.Unlock()
		if host != nil {
			if text, fail := host(service); fail {
				_, _ = io.WriteString(c, "FAIL"+frame(text))
				return
			}
		}
		for prefix, text := range f.says {
			if strings.HasPrefix(service, prefix) {
				f.note(service)
				_, _ = io.WriteString(c, "OKAY"+text)
				return
			}
		}
		switch {
		case service == "host:devices-l":
			_, _ = io.WriteString(c, "OKAY"+frame(devices))
			return
		case strings.HasSuffix(service, ":features"):
			_, _ = io.WriteString(c, "OKAY"+frame(features))
			return
		case service == "host:version":
			_, _ = io.WriteString(c, "OKAY"+frame("0029"))
			return
		case strings.HasPrefix(service, "host:transport:"):
			_, _ = io.WriteString(c, "OKAY")
		default:
			f.device(c, r, service)
			return
		}
	}
}

// note keeps a request that is no command line.
func (f *fake) note(service string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(f.lines, service)
}

func readService(r *bufio.Reader) (string, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", err
	}
	var n int
	if _, err := fmt.Sscanf(string(head[:]), "%04x", &n); err != nil {
		return "", err
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return string(b), err
}

// device serves one service of the phone.
func (f *fake) device(c net.Conn, r *bufio.Reader, service string) {
	kind, line, _ := strings.Cut(service, ":")
	f.mu.Lock()
	f.lines = append(f.lines, line)
	shell := f.shell
	f.mu.Unlock()
	if kind == "sync" {
		_, _ = io.WriteString(c, "OKAY")
		f.sync(c, r)
		return
	}
	a, ok := probe(line)
	if !ok && shell != nil {
		a = shell(line)
	}
	if a.refuse {
		_, _ = io.WriteString(c, "FAIL"+frame("closed"))
		return
	}
	_, _ = io.WriteString(c, "OKAY")
	if kind == "shell,v2,raw" {
		f.v2(c, r, a, line)
		return
	}
	_, _ = io.WriteString(c, a.out)
	if kind == "shell" && !a.drop && !a.hang {
		fmt.Fprintf(c, "%s%d\r\n", exitLabel, a.code)
	}
	if a.hang {
		_, _ = io.Copy(io.Discard, r)
	}
}

func (f *fake) v2(c net.Conn, r *bufio.Reader, a answer, line string) {
	if line == "sh" {
		a = f.script(r)
	}
	f.mu.Lock()
	linger, piece := f.linger, f.piece
	f.mu.Unlock()
	for piece > 0 && len(a.out) > piece {
		writePacket(c, packetStdout, a.out[:piece])
		a.out = a.out[piece:]
	}
	writePacket(c, packetStdout, a.out)
	writePacket(c, packetStderr, a.err)
	if !a.drop && !a.hang {
		writePacket(c, packetExit, string([]byte{byte(a.code)}))
	}
	if a.hang || linger {
		_, _ = io.Copy(io.Discard, r)
	}
}

// script reads a script from the standard input and runs it as a line.
func (f *fake) script(r *bufio.Reader) answer {
	var text []byte
	for {
		var head [packetHeader]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return answer{drop: true}
		}
		data := make([]byte, binary.LittleEndian.Uint32(head[1:]))
		if _, err := io.ReadFull(r, data); err != nil {
			return answer{drop: true}
		}
		if head[0] == packetCloseStdin {
			break
		}
		text = append(text, data...)
	}
	f.mu.Lock()
	f.lines = append(f.lines, string(text))
	shell := f.shell
	f.mu.Unlock()
	return shell(string(text))
}

func writePacket(w io.Writer, id byte, data string) {
	if data != "" {
		_, _ = w.Write(append(packet(id, len(data)), data...))
	}
}

// sync serves the first sync protocol over a map of files. A path that ends in "full" has no space
// left.
func (f *fake) sync(c net.Conn, r *bufio.Reader) {
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		n := binary.LittleEndian.Uint32(head[4:])
		id := string(head[:4])
		if id == "QUIT" {
			return
		}
		path := make([]byte, n)
		if _, err := io.ReadFull(r, path); err != nil {
			return
		}
		f.syncRequest(c, r, id, string(path))
	}
}

func (f *fake) syncRequest(c net.Conn, r *bufio.Reader, id, path string) {
	word := func(id string, n int) {
		_, _ = c.Write(binary.LittleEndian.AppendUint32([]byte(id), uint32(n)))
	}
	f.mu.Lock()
	data, there := f.files[path]
	f.mu.Unlock()
	switch id {
	case "STAT":
		mode := 0
		if there {
			mode = 0o100644
		}
		if strings.HasSuffix(path, "dir") {
			mode = 0o040755
		}
		word("STAT", mode)
		_, _ = c.Write(make([]byte, 8))
	case "STA2":
		_, _ = c.Write(append([]byte("STA2"), f.stat2(path)...))
	case "LIS2":
		for _, name := range f.names(path) {
			b := append([]byte("DNT2"), f.stat2(path+name)...)
			_, _ = c.Write(append(binary.LittleEndian.AppendUint32(b, uint32(len(name))), name...))
		}
		_, _ = c.Write(append([]byte("DONE"), make([]byte, 72)...))
	case "RECV":
		if !there {
			text := "open failed: No such file or directory"
			word("FAIL", len(text))
			_, _ = io.WriteString(c, text)
			return
		}
		for len(data) > 0 {
			n := min(len(data), syncChunk)
			word("DATA", n)
			_, _ = c.Write(data[:n])
			data = data[n:]
		}
		word("DONE", 0)
	case "SEND":
		path, _, _ = strings.Cut(path, ",")
		f.receive(c, r, path, word)
	}
}

// hugeSize is that of a file whose name ends in "huge".
const hugeSize = 5 << 30

// stat2 makes the fields of the second stat.
func (f *fake) stat2(path string) []byte {
	f.mu.Lock()
	data, there := f.files[path]
	f.mu.Unlock()
	mode, size := uint32(0o100644), uint64(len(data))
	b := make([]byte, 68)
	switch {
	case strings.HasSuffix(path, "dir"):
		mode = 0o040755
	case strings.HasSuffix(path, "secret"):
		mode = 0
		b[0] = 13 // EACCES
	case strings.HasSuffix(path, "huge"):
		size = hugeSize
	case !there:
		mode = 0
		b[0] = errnoNoEntry
	}
	binary.LittleEndian.PutUint32(b[20:], mode)
	binary.LittleEndian.PutUint64(b[36:], size)
	return b
}

// names lists a folder, with the two that every folder has.
func (f *fake) names(dir string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := []string{".", ".."}
	for path := range f.files {
		if name, ok := strings.CutPrefix(path, dir); ok && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}

func (f *fake) receive(c net.Conn, r *bufio.Reader, path string, word func(string, int)) {
	if strings.Contains(path, "full") {
		text := "write failed: No space left on device"
		word("FAIL", len(text))
		_, _ = io.WriteString(c, text)
		return
	}
	var all []byte
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		if string(head[:4]) == "DONE" {
			break
		}
		data := make([]byte, binary.LittleEndian.Uint32(head[4:]))
		if _, err := io.ReadFull(r, data); err != nil {
			return
		}
		all = append(all, data...)
	}
	f.mu.Lock()
	f.files[path] = all
	f.mu.Unlock()
	word("OKAY", 0)
}

// refusing returns an address at which every connection is refused. Its port is that of our end of a connection, so that
// no other program can listen there meanwhile.
func refusing(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := d.DialContext(t.Context(), "tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c.LocalAddr().String()
}

// Refusing is refusing.
func Refusing(t testing.TB) string { return refusing(t) }

// openFiles counts the descriptors of this process, or skips where they cannot be counted.
func openFiles(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc/self/fd to count descriptors in")
	}
	return len(entries)
}
