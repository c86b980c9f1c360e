package android

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

// scrcpyOptions are the key=value arguments of scrcpy's server that matter without video.
type scrcpyOptions struct {
	scid                  int64 // below 0 for none
	video, audio, control bool
	forward               bool // tunnel_forward
	dummy, meta           bool
	autosync, cleanup     bool
	powerOn               bool
	maxSize               int
}

// scrcpySince are the keys with the release that brought them, and the one that took them away.
var scrcpySince = map[string][2]string{
	"log_level": {"1.21"}, "max_size": {"1.21"}, "max_fps": {"1.21"}, "tunnel_forward": {"1.21"}, "crop": {"1.21"}, "control": {"1.21"},
	"display_id": {"1.21"}, "show_touches": {"1.21"}, "stay_awake": {"1.21"}, "power_off_on_close": {"1.21"}, "clipboard_autosync": {"1.21"},
	"send_frame_meta": {"1.21"}, "bit_rate": {"1.21", "2.0"}, "codec_options": {"1.21", "2.0"}, "encoder_name": {"1.21", "2.0"},
	"lock_video_orientation": {"1.21", "3.0"}, "downsize_on_error": {"1.22"}, "send_device_meta": {"1.22"}, "send_dummy_byte": {"1.22"},
	"raw_video_stream": {"1.22", "2.1"}, "cleanup": {"1.23"}, "power_on": {"1.24"}, "scid": {"2.0"}, "audio": {"2.0"}, "audio_codec": {"2.0"},
	"audio_bit_rate": {"2.0"}, "audio_encoder": {"2.0"}, "audio_codec_options": {"2.0"}, "video_codec": {"2.0"}, "video_bit_rate": {"2.0"},
	"video_codec_options": {"2.0"}, "video_encoder": {"2.0"}, "send_codec_meta": {"2.0", "4.0"}, "list_encoders": {"2.0"},
	"list_displays": {"2.0"}, "video": {"2.1"}, "audio_source": {"2.1"}, "raw_stream": {"2.1"}, "video_source": {"2.2"}, "camera_id": {"2.2"},
	"camera_size": {"2.2"}, "camera_facing": {"2.2"}, "camera_ar": {"2.2"}, "camera_fps": {"2.2"}, "camera_high_speed": {"2.2"},
	"list_cameras": {"2.2"}, "list_camera_sizes": {"2.2"}, "audio_dup": {"2.6"}, "new_display": {"3.0"}, "screen_off_timeout": {"3.0"},
	"list_apps": {"3.0"}, "vd_system_decorations": {"3.0"}, "capture_orientation": {"3.0"}, "angle": {"3.0"}, "vd_destroy_content": {"3.1"},
	"display_ime_policy": {"3.2"}, "keep_active": {"4.0"}, "flex_display": {"4.0"}, "min_size_alignment": {"4.0"}, "send_stream_meta": {"4.0"},
	"ignore_video_encoder_constraints": {"4.1"},
}

// scrcpyKnows says that the release has the key.
func scrcpyKnows(v scrcpy.Version, key string) bool {
	bounds, ok := scrcpySince[key]
	if !ok {
		return false
	}
	from, _ := scrcpy.ParseVersion(bounds[0])
	to, err := scrcpy.ParseVersion(bounds[1])
	gone := err == nil && v.AtLeast(to.Major, to.Minor, to.Patch)
	return v.AtLeast(from.Major, from.Minor, from.Patch) && !gone
}

// parseScrcpy reads the arguments behind the version. Keys that the release does not know are ignored, and
// told in unknown.
func parseScrcpy(v scrcpy.Version, args []string) (o scrcpyOptions, unknown []string, err error) {
	o = scrcpyOptions{scid: -1, video: true, audio: v.AtLeast(2, 0, 0), control: true, dummy: true, meta: true, autosync: true,
		cleanup: true, powerOn: true}
	for _, a := range args {
		key, value, ok := strings.Cut(a, "=")
		if !ok {
			return o, unknown, said(fmt.Sprintf("Invalid key=value pair: %q", a))
		}
		if !scrcpyKnows(v, key) {
			unknown = append(unknown, key)
			continue
		}
		if err := o.set(key, value); err != nil {
			return o, unknown, err
		}
	}
	return o, unknown, nil
}

func (o *scrcpyOptions) set(key, value string) error {
	flags := map[string]*bool{"video": &o.video, "audio": &o.audio, "control": &o.control, "tunnel_forward": &o.forward,
		"send_dummy_byte": &o.dummy, "send_device_meta": &o.meta, "clipboard_autosync": &o.autosync, "cleanup": &o.cleanup, "power_on": &o.powerOn}
	if f := flags[key]; f != nil {
		*f = strings.EqualFold(value, "true")
		return nil
	}
	var err error
	switch key {
	case "scid":
		if o.scid, err = strconv.ParseInt(value, 16, 32); err != nil {
			return said("java.lang.NumberFormatException: For input string: \"" + value + "\"")
		}
	case "max_size":
		if o.maxSize, err = strconv.Atoi(value); err != nil {
			return said("java.lang.NumberFormatException: For input string: \"" + value + "\"")
		}
	}
	return nil
}

// socketName is what the server listens at.
func (o scrcpyOptions) socketName() string {
	if o.scid < 0 {
		return "localabstract:scrcpy"
	}
	return fmt.Sprintf("localabstract:scrcpy_%08x", o.scid)
}

// sockets counts the connections that the server waits for.
func (o scrcpyOptions) sockets() int {
	n := 0
	for _, on := range []bool{o.video, o.audio, o.control} {
		if on {
			n++
		}
	}
	return n
}
