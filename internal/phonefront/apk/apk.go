// Package apk reads and makes Android packages, as far as a simulated phone needs them: the manifest, in its
// binary form.
package apk

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
)

// Manifest is what a package says of itself.
type Manifest struct {
	Package  string
	Version  int    // versionCode
	Name     string // versionName, "" where it is a resource
	Label    string // "" where it is a resource
	TestOnly bool
	Split    string // name of a part; "" is the base
	Activity string // class of the one that a home screen shows, "" for none
	Leanback bool   // that home screen is a television's
}

// ErrNotAPK is returned by Read for a file that is no package.
var ErrNotAPK = errors.New("not an Android package: no zip with a binary AndroidManifest.xml that names a package")

const (
	manifestName = "AndroidManifest.xml"
	maxManifest  = 8 << 20
	namespace    = "http://schemas.android.com/apk/res/android"
	// Launcher and Leanback are the categories of home screens.
	Launcher = "android.intent.category.LAUNCHER"
	Leanback = "android.intent.category.LEANBACK_LAUNCHER"
)

// Read reads the manifest of a package.
func Read(file []byte) (Manifest, error) {
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return Manifest{}, ErrNotAPK
	}
	f, err := z.Open(manifestName)
	if err != nil {
		return Manifest{}, ErrNotAPK
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return Manifest{}, ErrNotAPK
	}
	var m Manifest
	var activity string
	err = readElements(data, func(e element) {
		switch e.name {
		case "manifest":
			m.Package, m.Version, m.Split = e.text("package"), e.number("versionCode"), e.text("split")
			m.Name = e.text("versionName")
		case "application":
			m.Label, m.TestOnly = e.text("label"), e.number("testOnly") != 0
		case "activity", "activity-alias":
			activity = e.text("name")
		case "category":
			if name := e.text("name"); activity != "" && (name == Launcher || name == Leanback) {
				m.Activity, m.Leanback = activity, name == Leanback
			}
		}
	})
	if err != nil || m.Package == "" {
		return Manifest{}, ErrNotAPK
	}
	return m, nil
}

// Make makes a package that says so of itself. It holds nothing else.
func Make(m Manifest) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(manifestName)
	if err == nil {
		_, err = w.Write(m.encode())
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // writing into memory does not fail
	}
	return b.Bytes()
}
