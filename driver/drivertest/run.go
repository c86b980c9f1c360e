package drivertest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Case is one rule of the contract, and how it is checked.
type Case struct {
	Name  string // such as "cancel/tap"
	Rule  string // in words
	check func(b *bench) error
	open  func(t testing.TB) *Phone // nil is Config.Open
}

// Result is what became of a case.
type Result struct {
	Case
	Err     error  // how the driver broke the rule, nil where it kept it or where the case was skipped
	Skipped string // why the case could not be checked, "" where it was
}

// Run checks every rule, each in a subtest of its own.
func Run(t *testing.T, cfg *Config) {
	t.Helper()
	RunOnly(t, cfg, func(string) bool { return true })
}

// RunOnly is Run with the cases that want takes, by their names: for a second way to the same phone, or
// for one that is slow.
func RunOnly(t *testing.T, cfg *Config, want func(name string) bool) {
	t.Helper()
	if err := cfg.valid(); err != nil {
		t.Fatal(err)
	}
	cases := slices.DeleteFunc(Cases(cfg), func(c Case) bool { return !want(c.Name) })
	if len(cases) == 0 {
		t.Fatal("drivertest: RunOnly wants none of the cases")
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			switch r := c.run(t, cfg); {
			case r.Skipped != "":
				t.Skip(r.Skipped)
			case r.Err != nil:
				t.Errorf("the rule: %s\nbroken:   %v", r.Rule, r.Err)
			}
		})
	}
}

// Cases lists the cases that Run checks with cfg.
func Cases(cfg *Config) []Case {
	return slices.Concat(
		spaceCases(cfg), gestureCases(), keyCases(), cancelCases(), limitCases(), closeCases(), turnCases(), onceCases(),
		undoCases(), textCases(), fieldCases(), launchCases(), truthCases(), faultCases(), errorCases(),
		opCases(), capabilityCases(), wrapCases(), describeCases(),
	)
}

// results checks every rule without subtests.
func results(t testing.TB, cfg *Config) []Result {
	var all []Result
	for _, c := range Cases(cfg) {
		all = append(all, c.run(t, cfg))
	}
	return all
}

// run checks one case on a phone of its own.
func (c Case) run(t testing.TB, cfg *Config) Result {
	if why, ok := cfg.Declared[c.Name]; ok {
		return Result{Case: c, Skipped: "declared by the driver: " + why}
	}
	open := c.open
	if open == nil {
		open = cfg.Open
	}
	b := &bench{t: t, cfg: cfg, open: open}
	b.use(open)
	defer b.end()
	err := c.check(b)
	var no skip
	if errors.As(err, &no) {
		return Result{Case: c, Skipped: string(no)}
	}
	if want, ok := cfg.Refuses[c.Name]; ok {
		err = b.refused(err, want)
	} else if b.isRefusal(err) {
		err = b.nothingSent()
	}
	return Result{Case: c, Err: err}
}

// skip is the error of a case that cannot be checked, with the reason.
type skip string

func (s skip) Error() string { return string(s) }

func skipf(format string, args ...any) error { return skip(fmt.Sprintf(format, args...)) }
