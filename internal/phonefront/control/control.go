// Package control lets a person or a test look behind a simulated phone over HTTP: what was done to it, what it
// shows, and which faults are on.
package control

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/fault"
)

// Phone is what the handler controls: an *android.Device, or the device of another front.
type Phone interface {
	Phone() *sim.Phone
	// SetFault switches a fault, given as "name" or "name=arg".
	SetFault(fault string, on bool) error
}

// Choice is something that can be chosen by name.
type Choice struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Profiles lists the profiles of phones.
func Profiles() []Choice {
	var list []Choice
	for _, p := range android.Profiles() {
		list = append(list, Choice{p.Name, p.Doc})
	}
	return list
}

// Faults lists the faults of an Android phone: those of the wire and the system, then those of the phone itself.
func Faults() []Choice { return choices(android.FaultList()) }

// faultsOf lists the faults of a front's own device, if it tells them, then those of the phone itself.
func faultsOf(p Phone) []Choice {
	if d, ok := p.(interface{ Faults() *fault.Set }); ok {
		return choices(d.Faults().List())
	}
	return choices(nil)
}

func choices(front []fault.Fault) []Choice {
	var list []Choice
	for _, f := range front {
		name := f.Name
		if f.Arg != "" {
			name += "=" + f.Arg
		}
		list = append(list, Choice{name, f.Doc})
	}
	own := sim.Faults()
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.ContainsFunc(front, func(f fault.Fault) bool { return f.Name == name }) {
			list = append(list, Choice{name, own[name]})
		}
	}
	return list
}

// Handler serves
//
//	GET  /log[?from=N]              what was done to the phone, as JSON lines, from the N-th on
//	GET  /frame.png                 what it shows, black where that is protected
//	GET  /faults                    the faults that there are, as a JSON list
//	POST /fault?name=NAME[&on=BOOL] switches one, on unless told otherwise
func Handler(p Phone) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /log", func(w http.ResponseWriter, r *http.Request) { writeLog(w, r, p.Phone()) })
	mux.HandleFunc("GET /frame.png", func(w http.ResponseWriter, _ *http.Request) {
		data, _ := p.Phone().PNG()
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(data)
	})
	mux.HandleFunc("GET /faults", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(faultsOf(p)) // a client that is gone needs no answer
	})
	mux.HandleFunc("POST /fault", func(w http.ResponseWriter, r *http.Request) { setFault(w, r, p) })
	return mux
}

func writeLog(w http.ResponseWriter, r *http.Request, p *sim.Phone) {
	from := 0
	if text := r.FormValue("from"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			http.Error(w, fmt.Sprintf("from=%s: want a number from 0 on", text), http.StatusBadRequest)
			return
		}
		from = n
	}
	w.Header().Set("Content-Type", "application/jsonl")
	enc := json.NewEncoder(w)
	events := p.Log()
	for _, e := range events[min(from, len(events)):] {
		if enc.Encode(e) != nil {
			return
		}
	}
}

func setFault(w http.ResponseWriter, r *http.Request, p Phone) {
	on := true
	if text := r.FormValue("on"); text != "" {
		v, err := strconv.ParseBool(text)
		if err != nil {
			http.Error(w, fmt.Sprintf("on=%s: want true or false", text), http.StatusBadRequest)
			return
		}
		on = v
	}
	if err := p.SetFault(r.FormValue("name"), on); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
