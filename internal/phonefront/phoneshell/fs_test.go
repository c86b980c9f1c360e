package phoneshell_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// TestPlantInTheWay: what is planted makes room for itself, and stays below the root.
func TestPlantInTheWay(t *testing.T) {
	fs := phoneshell.NewFS(time.Now, "bin", nil)
	fs.Plant(0, "tmp")
	fs.Link("link", "/tmp")
	read := func(name string) string {
		data, err := fs.ReadFile(name)
		require.NoError(t, err, name)
		return string(data)
	}
	require.NoError(t, fs.WriteFile("/tmp/file", []byte("in the way"), 0o644))
	fs.PlantFile("/tmp/file/one/two", []byte("planted"))
	require.Equal(t, "planted", read("/tmp/file/one/two"))
	fs.PlantFile("/link/one", []byte("in a folder"))
	require.Equal(t, "in a folder", read("/link/one"))
	fs.PlantFile("../../up", []byte("at the root"))
	require.Equal(t, "at the root", read("/up"))
	fs.Plant(0, "up/down")
	require.NoError(t, fs.WriteFile("/up/down/file", []byte("in a planted folder"), 0o644))
}

// TestUproot removes what is there, and leaves the rest as it is.
func TestUproot(t *testing.T) {
	fs := phoneshell.NewFS(time.Now, "bin", nil)
	fs.PlantFile("/a/file", []byte("stays"))
	for _, name := range []string{"/", "/none/file", "/a/file/below", "/a/none"} {
		fs.Uproot(name)
	}
	data, err := fs.ReadFile("/a/file")
	require.NoError(t, err)
	require.Equal(t, "stays", string(data))
	_, err = fs.Stat("/none", true)
	require.ErrorIs(t, err, phoneshell.ENOENT)
	fs.Uproot("/a")
	_, err = fs.Stat("/a", true)
	require.ErrorIs(t, err, phoneshell.ENOENT)
}
