package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
)

// printJSON prints one value as one line. A failure is told at the end of the command.
func (a *app) printJSON(v any) {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil && a.out.err == nil {
		a.out.err = err
	}
}

// table prints rows with aligned columns; the first row is the heading.
func (a *app) table(rows [][]string) {
	w := tabwriter.NewWriter(a.text, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(w, strings.TrimRight(strings.Join(r, "\t"), "\t"))
	}
	w.Flush()
}

// say prints a line for a person; with --json it prints v instead.
func (a *app) say(v any, format string, args ...any) {
	if a.JSON {
		a.printJSON(v)
		return
	}
	fmt.Fprintf(a.text, format+"\n", args...)
}

// done reports a step that was carried out.
func (a *app) done(op string, fields map[string]any) {
	if !a.JSON {
		return
	}
	out := map[string]any{"done": op}
	for k, v := range fields {
		out[k] = v
	}
	a.printJSON(out)
}
