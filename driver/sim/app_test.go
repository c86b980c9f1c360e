package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// counter is an app as a user may describe one.
func counter() sim.App {
	return sim.App{
		ID: "org.example.counter", Name: sim.T("Counter", "计数器"), Color: 0x225588,
		Values: map[string]string{"level": "1"},
		Lists:  map[string][]sim.Entry{"people": {{"name": "Ann", "age": "40.5"}, {"name": "Ben", "age": "2"}}},
		Screens: []sim.Screen{
			{
				ID: "main", Title: sim.T("Counter", "计数器"), Page: "org.example.counter.Main",
				Body: []sim.Widget{
					{Kind: sim.KindText, ID: "sum", Text: sim.T("{#people} people, {+people.age} years, level {level}", "")},
					{Kind: sim.KindRow, ID: "person", Each: "people", Text: sim.T("{.name}", ""), If: ".age!=2", Do: []sim.Effect{
						sim.Set("who", "{.name}"), sim.Set("greeting:{.name}", "hi"), sim.Go("detail"),
					}},
					{Kind: sim.KindRow, ID: "young", Each: "people", Text: sim.T("young {.name}", ""), If: ".age=2"},
					{Kind: sim.KindButton, Text: sim.T("Add", ""), Do: []sim.Effect{sim.Append("people", "name", "New", "age", "1")}},
					{Kind: sim.KindButton, Text: sim.T("Wipe", ""), Do: []sim.Effect{sim.Empty("people"), sim.Copy("gone"), sim.Toast(sim.T("Gone", ""))}},
					{Kind: sim.KindButton, Text: sim.T("Tell", ""), Do: []sim.Effect{sim.Notify(sim.T("Title", ""), "{#people}")}},
					{Kind: sim.KindButton, Text: sim.T("Other", ""), Do: []sim.Effect{sim.OpenApp(settings)}},
					{Kind: sim.KindCheck, ID: "agree", Text: sim.T("Agree", ""), Key: "agree"},
					{Kind: sim.KindText, Text: sim.T("Agreed", ""), If: "agree&level=1"},
					{Kind: sim.KindText, Text: sim.T("Never", ""), If: "agree&!level"},
				},
			},
			{
				ID: "detail", Title: sim.T("{who}", ""),
				Body: []sim.Widget{
					{Kind: sim.KindText, Text: sim.T("{greeting:{who}} {who}", "")},
					{Kind: sim.KindButton, Text: sim.T("Up", ""), Do: []sim.Effect{sim.Root()}},
				},
			},
		},
	}
}

func TestAppOfOnesOwn(t *testing.T) {
	a := counter()
	p := sim.New(&sim.Options{Apps: []sim.App{a}})
	tap(t, p, "Counter")
	require.Equal(t, driver.App{ID: a.ID, Name: "Counter", Page: "org.example.counter.Main"}, p.Foreground())
	require.True(t, shows(p, "2 people, 42.50 years, level 1"))
	require.False(t, shows(p, "Ben"))
	require.True(t, shows(p, "young Ben"))

	tap(t, p, "Ann")
	require.True(t, shows(p, "hi Ann"))
	require.Equal(t, "Ann", node(t, p, driver.ByID("title")).Text)
	require.Equal(t, "org.example.counter.Main", p.Foreground().Page, "a screen without a page keeps the one below")
	tap(t, p, "Up")

	tap(t, p, "Add")
	require.True(t, shows(p, "3 people, 43.50 years, level 1"))
	require.False(t, shows(p, "Agreed"))
	tap(t, p, "Agree")
	require.True(t, shows(p, "Agreed"))
	require.False(t, shows(p, "Never"))
	tap(t, p, "Tell")
	require.Equal(t, []sim.Notification{{App: a.ID, Title: "Title", Text: "3"}}, p.Notifications())
	tap(t, p, "Wipe")
	require.Empty(t, p.List("people"))
	require.Equal(t, "gone", p.Clipboard())
	tap(t, p, "Other")
	require.Equal(t, settings, p.Foreground().ID)
}

func TestPhonesDoNotShareApps(t *testing.T) {
	a := counter()
	p, q := sim.New(&sim.Options{Apps: []sim.App{a}, Start: a.ID}), sim.New(&sim.Options{Apps: []sim.App{a}, Start: a.ID})
	tap(t, p, "Add")
	p.List("people")[0]["name"] = "changed"
	require.Len(t, p.List("people"), 3)
	require.Len(t, q.List("people"), 2)
	require.Len(t, a.Lists["people"], 2)
	require.Equal(t, "Ann", p.List("people")[0]["name"])
}
