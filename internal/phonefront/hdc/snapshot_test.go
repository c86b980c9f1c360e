package hdc_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

const picFile = "/data/local/tmp/p.jpeg"

func TestSnapshotTexts(t *testing.T) {
	for name, c := range map[string]struct{ profile, want string }{
		"old": {"5.0", "process: display 0: width 1080, height 2400\nsnapshot: pixel format is: 3\n" +
			"snapshot: convert rgba8888 to rgb888 successfully.\n\nsuccess: snapshot display 0 , write to " + picFile + " as jpeg, width 1080, height 2400\nRC=0\n"},
		"new": {"5.1", "fileType: jpeg\nprocess: display 0, file type: jpeg, width: 1080, height: 2400\n\n" +
			"success: snapshot display 0 , write to " + picFile + " as jpeg, width: 1080, height: 2400\nRC=0\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, c.profile)
			require.Equal(t, c.want, out(t, s, "shell", "snapshot_display -f "+picFile+"; echo RC=$?"))
			data, err := d.FS().ReadFile(picFile)
			require.NoError(t, err)
			m, err := jpeg.Decode(bytes.NewReader(data))
			require.NoError(t, err)
			require.Equal(t, image.Pt(1080, 2400), m.Bounds().Size())
		})
	}
}

// The JPEG shows what the PNG shows.
func TestSnapshotPicture(t *testing.T) {
	s, d := onePhone(t, "")
	out(t, s, "shell", "snapshot_display -f "+picFile+"; snapshot_display -t png -f /data/local/tmp/p.png; uitest screenCap -p /data/local/tmp/c.png; "+
		"snapshot_display -f /data/local/tmp/s.jpeg -w 270 -h 600")
	read := func(name string) []byte {
		data, err := d.FS().ReadFile("/data/local/tmp/" + name)
		require.NoError(t, err)
		return data
	}
	full, err := png.Decode(bytes.NewReader(read("p.png")))
	require.NoError(t, err)
	require.Equal(t, read("p.png"), read("c.png"))
	lossy, err := jpeg.Decode(bytes.NewReader(read("p.jpeg")))
	require.NoError(t, err)
	for _, at := range []image.Point{{5, 5}, {1000, 2300}, {540, 1200}} {
		r1, g1, b1, _ := full.At(at.X, at.Y).RGBA()
		r2, g2, b2, _ := lossy.At(at.X, at.Y).RGBA()
		for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
			require.Less(t, max(d, -d)>>8, 24, at)
		}
	}
	small, err := jpeg.Decode(bytes.NewReader(read("s.jpeg")))
	require.NoError(t, err)
	require.Equal(t, image.Pt(270, 600), small.Bounds().Size())
}

func TestSnapshotRefusals(t *testing.T) {
	s, d := onePhone(t, "5.0")
	invalid := func(f, why string) string {
		return "error: fileName " + f + " invalid, " + why + "\nerror: filename " + f + " invalid!\n"
	}
	for args, want := range map[string]string{
		"-f /data/app/x.jpeg":                 invalid("/data/app/x.jpeg", "realpath /data/app must dump at dir: /data/local/tmp"),
		"-f /data/local/tmp/../../app/x.jpeg": invalid("/data/local/tmp/../../app/x.jpeg", "realpath /data/app must dump at dir: /data/local/tmp"),
		"-f /data/local/tmp/no/x.jpeg":        invalid("/data/local/tmp/no/x.jpeg", "realpath nullptr!"),
		"-f /data/local/tmp/x.png":            invalid("/data/local/tmp/x.png", "suffix must be .jpeg"),
		"-f x":                                invalid("x", "file length too short!"),
		"-i 7 -f " + picFile:                  "error: displayId 7 invalid!\ntips: supported displayIds:\n\t0\n",
	} {
		require.Equal(t, want+"RC=255\n", out(t, s, "shell", "snapshot_display "+args+"; echo RC=$?"), args)
	}
	require.Contains(t, out(t, s, "shell", "snapshot_display"), "process: set filename to /data/local/tmp/snapshot_")
	set(t, d, hdc.FaultSnapshotFail)
	require.Equal(t, "\nerror: snapshot display 0, write to "+picFile+" as jpeg failed!\n", out(t, s, "shell", "snapshot_display -f "+picFile))
	set(t, d, hdc.FaultNotDeveloper)
	require.Equal(t, "current mode is not developer mode, just return.\n", out(t, s, "shell", "snapshot_display -f "+picFile))
}

func TestSnapshotFaults(t *testing.T) {
	whole := 0
	for _, c := range []struct {
		fault string
		check func(n int)
	}{
		{hdc.FaultChatter, func(n int) { whole = n }},
		{hdc.FaultSnapshotEmpty, func(n int) { require.Zero(t, n) }},
		{hdc.FaultSnapshotCut, func(n int) { require.Equal(t, whole/2, n) }},
	} {
		s, d := onePhone(t, "")
		set(t, d, c.fault)
		require.Contains(t, out(t, s, "shell", "snapshot_display -f "+picFile), "success: snapshot display 0")
		data, err := d.FS().ReadFile(picFile)
		require.NoError(t, err)
		c.check(len(data))
	}
}

func TestScreenCap(t *testing.T) {
	s, d := onePhone(t, "")
	require.Equal(t, "ScreenCap saved to /data/local/tmp/c.png\n", out(t, s, "shell", "uitest screenCap -p /data/local/tmp/c.png"))
	require.Regexp(t, `^ScreenCap saved to /data/local/tmp/screenCap_\d+\.png\n$`, out(t, s, "shell", "uitest screenCap"))
	require.Equal(t, "File opening failed: Bad file descriptor\nScreenCap failed: File opening failed\n",
		out(t, s, "shell", "uitest screenCap -p /data/app/c.png"))
	set(t, d, hdc.FaultScreenCapFail)
	require.Equal(t, "ScreenCap failed: Failed to get display pixelMap\n", out(t, s, "shell", "uitest screenCap -p /data/local/tmp/c.png"))
}

// A page that the system protects is black, and so is a panel that is off.
func TestSnapshotOfADarkPanel(t *testing.T) {
	s, d := onePhone(t, "")
	d.Phone().Sleep()
	out(t, s, "shell", "snapshot_display -f "+picFile)
	data, err := d.FS().ReadFile(picFile)
	require.NoError(t, err)
	m, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	r, g, b, _ := m.At(540, 1200).RGBA()
	require.Zero(t, r+g+b)
}
