package adb

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/internal/cmdrun"
)

// scrcpyAuto is what Options.Scrcpy says to have the file looked for.
const scrcpyAuto = "auto"

// installedScrcpy lists where installations put the server file: portable ones beside the program;
// packages, source installs and Homebrew on Intel, Homebrew on Apple silicon, MacPorts, snap. Tests
// have none.
var installedScrcpy = func() []string {
	places := []string{
		"/usr/share/scrcpy/scrcpy-server",
		"/usr/local/share/scrcpy/scrcpy-server",
		"/opt/homebrew/share/scrcpy/scrcpy-server",
		"/home/linuxbrew/.linuxbrew/share/scrcpy/scrcpy-server",
		"/opt/local/share/scrcpy/scrcpy-server",
		"/snap/scrcpy/current/usr/local/share/scrcpy/scrcpy-server",
	}
	program, err := cmdrun.Find("scrcpy")
	if err != nil {
		return places
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	dir := filepath.Dir(program)
	return append([]string{filepath.Join(dir, "scrcpy-server"), filepath.Join(dir, "..", "share", "scrcpy", "scrcpy-server")}, places...)
}

const (
	maxScrcpyFile = 16 << 20 // official files have 40 to 110 kB
	maxScrcpyCode = 64 << 20
)

// scrcpyFile is a server file of scrcpy and what its release can do. The zero value is none.
type scrcpyFile struct {
	data    []byte
	version string // as the server compares it, byte by byte
	release [3]int
}

// scrcpyText is a constant in the code of every server since 1.11.
var scrcpyText = regexp.MustCompile(`The server version \(([^)\x00-\x1f]{1,40})\) does not match the client \(`)

// scrcpyFile returns the server file that the option names; "off" is none. One that is named must be
// there and usable; where it is looked for, an unusable one is as good as none. One that the
// environment names is the only one, as it is for scrcpy itself.
func (o *Options) scrcpyFile() (scrcpyFile, error) {
	switch o.Scrcpy {
	case "off":
		return scrcpyFile{}, nil
	case "", scrcpyAuto:
		places := []string{o.scrcpyServer}
		if o.scrcpyServer == "" {
			places = installedScrcpy()
		}
		for _, path := range places {
			if f, err := readScrcpy(path); err == nil {
				return f, nil
			}
		}
		return scrcpyFile{}, nil
	}
	f, err := readScrcpy(o.Scrcpy)
	if err != nil {
		return f, fmt.Errorf("scrcpy server %s: %w", o.Scrcpy, err)
	}
	return f, nil
}

func readScrcpy(path string) (scrcpyFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return scrcpyFile{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxScrcpyFile))
	if err != nil {
		return scrcpyFile{}, err
	}
	return parseScrcpy(data)
}

var errNoScrcpy = errors.New("it is no scrcpy server: want the file scrcpy-server of a scrcpy 2.1 or newer")

// parseScrcpy reads the version out of a server file, which is a zip with its code in classes.dex.
func parseScrcpy(data []byte) (scrcpyFile, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return scrcpyFile{}, errNoScrcpy
	}
	dex, err := z.Open("classes.dex")
	if err != nil {
		return scrcpyFile{}, errNoScrcpy
	}
	defer dex.Close()
	code, err := io.ReadAll(io.LimitReader(dex, maxScrcpyCode))
	if err != nil {
		return scrcpyFile{}, errNoScrcpy
	}
	m := scrcpyText.FindSubmatch(code)
	if m == nil {
		return scrcpyFile{}, errNoScrcpy
	}
	f := scrcpyFile{data: data, version: string(m[1])}
	if f.release, err = parseRelease(f.version); err != nil {
		return scrcpyFile{}, err
	}
	if !f.atLeast(2, 1, 0) {
		return scrcpyFile{}, fmt.Errorf("scrcpy %s cannot be controlled without its video: want 2.1 or newer", f.version)
	}
	return f, nil
}

var plainVersion = regexp.MustCompile(`^[0-9A-Za-z._+-]+$`)

// parseRelease reads a version such as 2.4, 3.0.1 or 1.19-ws6.
func parseRelease(version string) (r [3]int, err error) {
	if !plainVersion.MatchString(version) {
		return r, fmt.Errorf("scrcpy version %q: want one such as 3.3.4", version)
	}
	bare, _, _ := strings.Cut(version, "-")
	parts := strings.Split(bare, ".")
	if len(parts) < 2 || len(parts) > 3 {
		return r, fmt.Errorf("scrcpy version %q: want one such as 3.3.4", version)
	}
	for i, part := range parts {
		if r[i], err = strconv.Atoi(part); err != nil || r[i] < 0 {
			return r, fmt.Errorf("scrcpy version %q: want one such as 3.3.4", version)
		}
	}
	return r, nil
}

func (f *scrcpyFile) atLeast(major, minor, patch int) bool {
	for i, want := range [3]int{major, minor, patch} {
		if f.release[i] != want {
			return f.release[i] > want
		}
	}
	return true
}

// touches says that the server takes positions: 3.0 ends at the first one when there is no video.
func (f *scrcpyFile) touches() bool { return f.release != [3]int{3, 0, 0} }

// rawPoints says that positions are pixels of the display, and the size beside them does not count.
func (f *scrcpyFile) rawPoints() bool { return f.atLeast(3, 0, 1) }

// clipboard says that the server bears clipboard messages: 3.3 ends at the first one.
func (f *scrcpyFile) clipboard() bool { return f.release != [3]int{3, 3, 0} }

// endsRefused says that the server ends where the system refuses it the clipboard: 3.2 and older live on.
func (f *scrcpyFile) endsRefused() bool { return f.atLeast(3, 3, 0) }
