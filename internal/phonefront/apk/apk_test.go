package apk_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/apk"
)

func TestMakeAndRead(t *testing.T) {
	for name, m := range map[string]apk.Manifest{
		"whole":     {Package: "com.example.app", Version: 7, Name: "7.0", Label: "应用 😀", TestOnly: true, Activity: ".Main"},
		"split":     {Package: "com.example.app", Version: 1, Split: "config.en"},
		"tv":        {Package: "com.example.tv", Activity: "com.example.tv.Main", Leanback: true},
		"resources": {Package: "com.example.app"},
	} {
		got, err := apk.Read(apk.Make(m))
		require.NoError(t, err, name)
		require.Equal(t, m, got, name)
	}
}

func TestNotAPK(t *testing.T) {
	whole := apk.Make(apk.Manifest{Package: "com.example.app"})
	for _, bad := range [][]byte{nil, []byte("text"), whole[:len(whole)-4], apk.Make(apk.Manifest{})} {
		_, err := apk.Read(bad)
		require.ErrorIs(t, err, apk.ErrNotAPK)
	}
}

// FuzzRead reads any bytes as a manifest.
func FuzzRead(f *testing.F) {
	whole := apk.Make(apk.Manifest{Package: "com.example.app", Label: "x", Activity: ".Main"})
	z, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	require.NoError(f, err)
	file, err := z.Open("AndroidManifest.xml")
	require.NoError(f, err)
	manifest, err := io.ReadAll(file)
	require.NoError(f, err)
	f.Add(manifest)
	f.Add([]byte{3, 0, 8, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "AndroidManifest.xml", Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write(data)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		if m, err := apk.Read(b.Bytes()); err == nil {
			require.NotEmpty(t, m.Package)
		} else {
			require.ErrorIs(t, err, apk.ErrNotAPK)
		}
	})
}
