package android

import (
	"fmt"
	"strconv"
	"strings"
)

// intent is what am and cmd package are told to look for.
type intent struct {
	action, data, kind, pkg string
	categories              []string
	flags                   uint64
	comp                    component
	extras                  map[string]string
	wait, stop              bool
}

// intentOptions are the options that take one value which the phone has no use for.
var intentOptions = " --user --display --windowingMode --activityType -i --rect --receiver-permission --ez --ef --ecn --eu "

// errArgument is an option without its value.
type errArgument string

func (e errArgument) Error() string { return "Argument expected after \"" + string(e) + "\"" }

// said is an error in the phone's own words.
type said string

func (s said) Error() string { return string(s) }

// parseIntent reads the arguments of am start and am broadcast.
func parseIntent(args []string) (*intent, error) {
	in := &intent{extras: map[string]string{}}
	for len(args) > 0 {
		opt := args[0]
		args = args[1:]
		take := func() (string, error) {
			if len(args) == 0 {
				return "", errArgument(opt)
			}
			v := args[0]
			args = args[1:]
			return v, nil
		}
		if err := in.option(opt, take); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// option reads one option with its values.
func (in *intent) option(opt string, take func() (string, error)) error {
	var err error
	var v string
	switch opt {
	case "-W":
		in.wait = true
	case "-S":
		in.stop = true
	case "-a":
		in.action, err = take()
	case "-d":
		in.data, err = take()
	case "-t":
		in.kind, err = take()
	case "-p":
		in.pkg, err = take()
	case "-c":
		v, err = take()
		in.categories = append(in.categories, v)
	case "-f":
		if v, err = take(); err == nil {
			in.flags, err = strconv.ParseUint(v, 0, 32)
		}
	case "-n":
		if v, err = take(); err == nil {
			err = in.setComponent(v)
		}
	case "-e", "--es", "--ei", "--el", "--eia", "--esa", "--ez", "--ef", "--eu":
		err = in.extra(take)
	default:
		err = in.other(opt, take)
	}
	return err
}

func (in *intent) setComponent(v string) error {
	c, ok := parseComponent(v)
	if !ok {
		return said("Bad component name: " + v)
	}
	in.comp = c
	return nil
}

func (in *intent) extra(take func() (string, error)) error {
	key, err := take()
	if err != nil {
		return err
	}
	value, err := take()
	if err != nil {
		return errArgument(key)
	}
	in.extras[key] = value
	return nil
}

// other reads the rest: options without meaning here, and the bare URI, package or component at the end.
func (in *intent) other(opt string, take func() (string, error)) error {
	switch {
	case strings.Contains(intentOptions, " "+opt+" "):
		_, err := take()
		return err
	case strings.HasPrefix(opt, "-"):
		if isIntentFlag(opt) {
			return nil
		}
		return said("Unknown option: " + opt)
	case strings.Contains(opt, ":"):
		in.data = opt
	case strings.Contains(opt, "/"):
		return in.setComponent(opt)
	default:
		in.pkg = opt
	}
	return nil
}

// isIntentFlag says that an option stands alone.
func isIntentFlag(opt string) bool {
	switch opt {
	case "-D", "-N", "-R", "--allow-background-activity-starts", "--sync", "--task-overlay", "--track-allocation", "--async":
		return true
	}
	return strings.HasPrefix(opt, "--activity-") || strings.HasPrefix(opt, "--grant-") || strings.HasPrefix(opt, "--include-") ||
		strings.HasPrefix(opt, "--exclude-") || strings.HasPrefix(opt, "--receiver-")
}

// text is Intent { ... } as am prints it.
func (in *intent) text(redact bool) string {
	var b strings.Builder
	b.WriteString("Intent {")
	if in.action != "" {
		b.WriteString(" act=" + in.action)
	}
	if len(in.categories) > 0 {
		b.WriteString(" cat=[" + strings.Join(in.categories, ",") + "]")
	}
	if in.data != "" {
		b.WriteString(" dat=" + safeURI(in.data, redact))
	}
	if in.kind != "" {
		b.WriteString(" typ=" + in.kind)
	}
	if in.flags != 0 {
		fmt.Fprintf(&b, " flg=0x%x", in.flags)
	}
	if in.pkg != "" {
		b.WriteString(" pkg=" + in.pkg)
	}
	if in.comp.pkg != "" {
		b.WriteString(" cmp=" + in.comp.short())
	}
	if len(in.extras) > 0 {
		b.WriteString(" (has extras)")
	}
	b.WriteString(" }")
	return b.String()
}

// safeURI leaves out the path, as releases from Android 12 on do.
func safeURI(uri string, redact bool) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !redact || !ok {
		return uri
	}
	host, path, found := strings.Cut(rest, "/")
	if found && path != "" {
		host += "/..."
	}
	return scheme + "://" + host
}
