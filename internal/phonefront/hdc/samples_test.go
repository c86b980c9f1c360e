package hdc_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// sample reads a file of real output, where there are any.
func sample(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		if strings.Contains(os.Getenv("HANDSET_REQUIRE"), "samples") {
			t.Fatal("HANDSET_SAMPLES is not set")
		}
		t.Skip("HANDSET_SAMPLES is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "hdc", name))
	require.NoError(t, err)
	return strings.ReplaceAll(string(data), "\r\n", "\n") // some were taken on Windows
}

// call is one call of a transcript.
type call struct{ command, out string }

var (
	callLine = regexp.MustCompile(`^\$ hdc (.*)   \[rc=0 \d+ms\]$`)
	outLine  = regexp.MustCompile(`^  out\(\d+\): (.*)$`)
)

// transcript reads the calls of a transcript, whose outputs are Python's strings.
func transcript(t *testing.T, text string) []call {
	t.Helper()
	var calls []call
	for line := range strings.SplitSeq(text, "\n") {
		if m := callLine.FindStringSubmatch(line); m != nil {
			calls = append(calls, call{command: m[1]})
		}
		m := outLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		body := m[1][1 : len(m[1])-1]
		if m[1][0] == '\'' {
			body = strings.ReplaceAll(body, `"`, `\"`)
		}
		plain, err := strconv.Unquote(`"` + strings.ReplaceAll(body, `\'`, `'`) + `"`)
		require.NoError(t, err, line)
		calls[len(calls)-1].out = plain
	}
	return calls
}

// replayed are the calls of the transcripts that need no files and no phone's own programs. Ports that are
// really listened to are left out: they may be taken here.
var replayed = regexp.MustCompile(`^(-v|list targets.*|tconn.*|-t .* (list|fport|shell).*|kill|wait|smode|tmode|target mount|list|list foo|file|file foo|rport.*|` +
	`fport( ls| rm.*| tcp:0.*| tcp:99999.*| foo.*| tcp:1)?|shell (echo hi|echo hi; echo err >&2; exit 3|printf abc|echo "a b" .*|echo a  b c|true|sh -c.*)|install|-s .*)$`)

// Each call of a real hdc 3.2.0f gets the same bytes here.
func TestTranscripts(t *testing.T) {
	for _, name := range []string{"measured_hdc_3.2.0f_part1.txt", "measured_hdc_3.2.0f_part2.txt", "measured_hdc_3.2.0f_part5.txt"} {
		t.Run(name, func(t *testing.T) {
			calls := transcript(t, sample(t, name))
			one, two := newDevice(t, &hdc.Options{Key: lan}), newDevice(t, &hdc.Options{Key: "10.9.0.2:5556"})
			s := serve(t, nil)
			s.Reach(one)
			s.Reach(two)
			if strings.Contains(name, "part5") {
				set(t, one, hdc.FaultUnauthorized)
			}
			count := 0
			for _, c := range calls {
				if !replayed.MatchString(c.command) || strings.Contains(c.out, "[Forward]") || strings.Contains(c.out, "ruler:tcp:7001") {
					continue
				}
				count++
				args := strings.Fields(c.command)
				if i := slices.Index(args, "shell"); i >= 0 {
					args = append(args[:i+1], c.command[strings.Index(c.command, "shell ")+6:])
				}
				want := strings.ReplaceAll(c.out, "\tvm\t", "\tlocalhost\t")
				if strings.Contains(c.command, "a  b c") {
					want = "a b c\n" // the arguments of this one cannot be told from its line
				}
				require.Equal(t, want, run(t, s, "", args...).out, c.command)
			}
			require.Greater(t, count, 4)
		})
	}
}

// The attributes of a dump are those of real ones of the same time.
func TestLayoutLikeSamples(t *testing.T) {
	var real element
	require.NoError(t, json.Unmarshal([]byte(sample(t, "hmdriver2_hierarchy.json")), &real))
	s, d := onePhone(t, "5.0")
	start(t, d, settings)
	ours := parse(t, dump(t, s, ""))
	keys := func(e *element) []string { return slices.Sorted(maps.Keys(e.Attributes)) }
	require.Equal(t, keys(&real), keys(ours))
	require.Equal(t, keys(real.Children[0]), keys(ours.Children[0]))
	require.Equal(t, keys(real.Children[0].Children[0]), keys(ours.Children[0].Children[0]))
	for _, name := range []string{"abilityName", "pagePath", "type", "id", "key", "opacity", "zIndex", "backgroundImage", "hitTestBehavior", "accessibilityId"} {
		for i, w := range []*element{real.Children[0], real.Children[1]} {
			a, b := w.Attributes[name], ours.Children[i].Attributes[name]
			require.Equal(t, a == "", b == "", "%s of window %d: %q and %q", name, i, a, b)
		}
	}
	for _, e := range ours.all() {
		require.NotContains(t, e.Attributes, "displayId")
	}
}

// words replaces what changes from phone to phone.
var words = regexp.MustCompile(`#?\d+|\[[^\]]*\]|FOREGROUND|BACKGROUND`)

func shape(text string) string { return words.ReplaceAllString(text, "_") }

func TestDumpsLikeSamples(t *testing.T) {
	s, d := onePhone(t, "5.0")
	start(t, d, "com.handset.shop")
	real, _, _ := strings.Cut(sample(t, "haptest_aa_dump.txt"), "  ExtensionRecords:")
	got, _, _ := strings.Cut(out(t, s, "shell", "aa dump -a"), "  ExtensionRecords:")
	require.Equal(t, shape(real), shape(got))

	lines := func(text string) []string { return strings.Split(text, "\n") }
	for file, ask := range map[string]string{
		"awesome-hdc_hidumper_PowerManagerService.txt":   "hidumper -s PowerManagerService -a -s",
		"awesome-hdc_hidumper_DisplayManagerService.txt": "hidumper -s DisplayManagerService -a -a",
		"awesome-hdc_hidumper_RenderService_screen.txt":  "hidumper -s RenderService -a screen",
	} {
		known := map[string]bool{}
		for _, line := range lines(sample(t, file)) {
			known[strings.TrimSpace(shape(line))] = true
		}
		missed := 0
		for _, line := range lines(out(t, s, "shell", ask)) {
			form := strings.TrimSpace(shape(line))
			form = strings.NewReplacer("POWER_STATUS_ON", "POWER_STATUS_OFF", "----RenderService----------------------------------", "----RenderService---------------------------------").Replace(form)
			if !known[form] {
				missed++
				t.Logf("%s: no such line in the sample: %s", file, form)
			}
		}
		require.LessOrEqual(t, missed, map[bool]int{true: 4}[strings.Contains(file, "Power")], file)
	}
}
