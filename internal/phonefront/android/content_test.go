package android_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestContentSettings(t *testing.T) {
	d := newDevice(t, "")
	const uri = "--uri content://settings/system "
	require.Empty(t, out(t, d, "content insert "+uri+"--bind name:s:user_rotation --bind value:i:1"))
	require.Equal(t, 1, d.Phone().Rotation())
	require.Regexp(t, `^Row: 0 _id=\d+, name=user_rotation, value=1\n$`, out(t, d, "content query "+uri+`--where "name='user_rotation'"`))
	require.Equal(t, "Row: 0 value=1\n", out(t, d, "content query --uri content://settings/system/user_rotation --projection value"))
	require.Contains(t, out(t, d, "content query "+uri), "name=screen_brightness, value=102\n")
	require.Empty(t, out(t, d, "content update "+uri+`--bind value:s:2 --where "name='user_rotation'"`))
	require.Equal(t, "2\n", out(t, d, "settings get system user_rotation"))
	require.Empty(t, out(t, d, "content delete "+uri+`--where "name='user_rotation'"`))
	require.Equal(t, "No result found.\n", out(t, d, "content query "+uri+`--where "name='user_rotation'"`))
	require.Contains(t, run(t, d, "content query --uri content://no.such/thing").stderr, "Could not find provider: no.such")
	set(t, d, "secure-settings")
	require.Contains(t, run(t, d, "content insert "+uri+"--bind name:s:x --bind value:i:1").stderr, "WRITE_SECURE_SETTINGS")
}
