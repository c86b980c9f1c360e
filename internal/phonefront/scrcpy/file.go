package scrcpy

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"regexp"
)

// mismatch is the text that the compiler folded into one constant of every server since 1.11.
var mismatch = regexp.MustCompile(`The server version \(([^)]{1,40})\) does not match the client \(`)

// ErrNoVersion is returned by VersionOf for a file that is no server.
var ErrNoVersion = errors.New("no scrcpy server: no zip whose classes.dex tells a version")

// maxDex bounds what is inflated of classes.dex, in bytes.
const maxDex = 16 << 20

// VersionOf reads the version out of a server file, a zip with its code in classes.dex.
func VersionOf(file []byte) (Version, error) {
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return Version{}, ErrNoVersion
	}
	dex, err := z.Open("classes.dex")
	if err != nil {
		return Version{}, ErrNoVersion
	}
	defer dex.Close()
	code, err := io.ReadAll(io.LimitReader(dex, maxDex))
	if err != nil {
		return Version{}, ErrNoVersion
	}
	found := mismatch.FindSubmatch(code)
	if found == nil {
		return Version{}, ErrNoVersion
	}
	return ParseVersion(string(found[1]))
}

// File makes a file of a server's shape that tells that version: enough for a client to push and for the
// simulated phone to start. It holds no code.
func File(version string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	dex, err := z.Create("classes.dex")
	if err == nil {
		_, err = io.WriteString(dex, "dex\n035\x00"+"\x2dThe server version ("+version+") does not match the client (\x00"+
			"\x1fcom.genymobile.scrcpy.Server\x00")
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // writing into memory does not fail
	}
	return b.Bytes()
}
