package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/perception"
)

type treeCmd struct {
	Format string  `default:"rows" enum:"rows,json" placeholder:"FORMAT" help:"rows, or json for the whole tree with its bounds, ids and flags; ${default} if unset."`
	From   *string `placeholder:"FILE" help:"Read a saved uiautomator dump, dumpLayout JSON or WebDriverAgent source instead of a phone; - is stdin."`
}

// Run prints the tree. The refs of the rows are kept for tap --ref.
func (c *treeCmd) Run(a *app) error {
	if c.From != nil {
		t, format, err := c.load(a)
		if err != nil {
			return err
		}
		if !a.JSON {
			fmt.Fprintf(a.stderr, a.tr("handset: %s is %s\n", "handset: %s 是 %s\n"), nameOf(*c.From), format)
		}
		return c.print(a, t, perception.Render(t, nil), format)
	}
	return a.with(func(ctx context.Context, d driver.Driver) error {
		t, err := d.Tree(ctx)
		if err != nil {
			return err
		}
		snap := perception.Render(t, nil)
		if err := saveRows(a.addr, snap); err != nil {
			fmt.Fprintf(a.stderr, "handset: tap --ref will not work: %v\n", err)
		}
		return c.print(a, t, snap, "")
	})
}

func (c *treeCmd) load(a *app) (*driver.Tree, string, error) {
	data, err := a.load("tree", *c.From)
	if err != nil {
		return nil, "", err
	}
	t, format, err := parseTree(data)
	if err != nil {
		return nil, "", incompletef("tree: %s: %w", nameOf(*c.From), err)
	}
	return t, format, nil
}

// The formats of saved trees.
const (
	formatSource = "WebDriverAgent source"
	formatDump   = "a uiautomator dump"
	formatLayout = "dumpLayout JSON"
	treeFormats  = formatDump + ", " + formatLayout + ", or " + formatSource
)

// parseTree reads a saved tree of any platform, and tells by its words which it is.
func parseTree(data []byte) (t *driver.Tree, format string, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, "", errors.New("it is empty; want " + treeFormats)
	}
	if err := binary(data); err != nil {
		return nil, "", fmt.Errorf("%w; want %s", err, treeFormats)
	}
	switch has := func(s string) bool { return bytes.Contains(data, []byte(s)) }; {
	case has("XCUIElementType"), has(`"isEnabled"`), has(`"rawIdentifier"`):
		t, err = wda.ParseSource(data, 0)
		return t, formatSource, err
	case has("<hierarchy"), has("<displays"):
		t, err = adb.ParseDump(data)
		return t, formatDump, err
	case has(`"attributes"`):
		t, err = hdc.ParseLayout(data)
		return t, formatLayout, err
	}
	return nil, "", fmt.Errorf("it begins with %q; want %s", beginning(data), treeFormats)
}

// print prints the tree; format is that of the file that it was read from, or "".
func (c *treeCmd) print(a *app, t *driver.Tree, snap *perception.Snapshot, format string) error {
	switch {
	case c.Format == "json":
		a.printJSON(t)
	case a.JSON:
		out := map[string]any{"snapshot": snap.ID, "rows": rowsJSON(snap)}
		if format != "" {
			out["format"] = format
		}
		a.printJSON(out)
	default:
		fmt.Fprintln(a.text, snap)
	}
	return nil
}

// rowJSON is a row for programs.
type rowJSON struct {
	Ref   int      `json:"ref,omitempty"`
	Role  string   `json:"role"`
	Label string   `json:"label,omitempty"`
	Value string   `json:"value,omitempty"`
	Flags []string `json:"flags,omitempty"`
	Tag   string   `json:"tag,omitempty"`
	At    [2]int   `json:"at"` // 0-999
	PX    [2]int   `json:"px"`
}

func rowsJSON(s *perception.Snapshot) []rowJSON {
	rows := make([]rowJSON, len(s.Rows))
	for i, r := range s.Rows {
		rows[i] = rowJSON{r.Ref, r.Role, r.Label, r.Value, r.Flags, r.Tag, [2]int{r.Mil.X, r.Mil.Y}, [2]int{r.At.X, r.At.Y}}
	}
	return rows
}

// savedRows is what is kept of the last tree that was printed of a phone: enough to know a row again.
type savedRows struct {
	Screen uint64         `json:"screen"` // its fingerprint
	Rows   map[int]string `json:"rows"`
}

// rowsFile is one file for each address, below the user's cache.
func rowsFile(address string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(dir, "handset", "rows-"+hex.EncodeToString(sum[:8])+".json"), nil
}

func saveRows(address string, s *perception.Snapshot) error {
	file, err := rowsFile(address)
	if err != nil {
		return err
	}
	saved := savedRows{Screen: s.Fingerprint(), Rows: map[int]string{}}
	for i := range s.Rows {
		if r := &s.Rows[i]; r.Ref > 0 {
			saved.Rows[r.Ref] = digest(r)
		}
	}
	data, err := json.Marshal(saved)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

func loadRows(address string) (*savedRows, error) {
	file, err := rowsFile(address)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("tap: there is no tree of %s to take a ref from; run handset tree first", address)
	}
	if err != nil {
		return nil, err
	}
	var saved savedRows
	if err := json.Unmarshal(data, &saved); err != nil {
		return nil, fmt.Errorf("%s: %w; run handset tree again", file, err)
	}
	return &saved, nil
}

// refPoint finds the row that the last printed tree had under ref, on the screen as it is now. Where the screen or the
// row is no longer what it was, it refuses and shows the new rows.
func (a *app) refPoint(ctx context.Context, d driver.Driver, ref int) (image.Point, error) {
	saved, err := loadRows(a.addr)
	if err != nil {
		return image.Point{}, err
	}
	t, err := d.Tree(ctx)
	if err != nil {
		return image.Point{}, err
	}
	snap := perception.Render(t, nil)
	want, known := saved.Rows[ref]
	row, err := snap.Row(ref)
	switch {
	case !known:
		return image.Point{}, usagef("tap: the last tree had no ref %d", ref)
	case err == nil && snap.Fingerprint() == saved.Screen && digest(row) == want:
		return row.At, nil
	}
	if err := saveRows(a.addr, snap); err != nil {
		return image.Point{}, err
	}
	return image.Point{}, incompletef("tap: ref %d: %w; nothing was tapped; it is now:\n%s", ref, perception.ErrStaleRef, snap)
}

// digest is what must be equal for a row to be the same thing; its text is not kept in the file.
func digest(r *perception.Row) string {
	sum := sha256.Sum256([]byte(r.String()))
	return hex.EncodeToString(sum[:8])
}
