package sim_test

import (
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// monkey does random things to a phone.
type monkey struct {
	*rand.Rand
	p *sim.Phone
}

func (m *monkey) point() image.Point {
	size := m.p.Size()
	return image.Pt(m.IntN(size.X), m.IntN(size.Y))
}

func (m *monkey) step() {
	p, ms := m.p, time.Duration(m.IntN(1200))*time.Millisecond
	switch m.IntN(16) {
	case 0, 1, 2, 3:
		p.Tap(m.point())
	case 4, 5:
		p.Swipe(m.point(), m.point(), ms)
	case 6:
		p.Drag(m.point(), m.point(), ms, ms)
	case 7:
		p.Pinch(m.point(), m.Float64()*4+0.01, ms)
	case 8:
		p.InsertText([]string{"a", "中文", "😀👍🏽", "x\ny", "e\u0301"}[m.IntN(5)])
	case 9, 10:
		keys := driver.Keys()
		p.Key(keys[m.IntN(len(keys))])
	case 11:
		_ = p.SetRotation(m.IntN(4))
	case 12:
		apps := p.Apps()
		id := apps[m.IntN(len(apps))].ID
		_, _ = p.StartApp(id)
	case 13:
		p.Down(m.IntN(3), m.point())
	case 14:
		p.Move(m.IntN(3), m.point())
		p.Up(m.IntN(3))
	default:
		p.Wake()
		p.Unlock()
		p.Notify(sim.Notification{App: messages, Title: "t", Text: "n"})
	}
}

// TestMonkey does random things and holds what must always be true.
func TestMonkey(t *testing.T) {
	for seed := range uint64(6) {
		m := &monkey{rand.New(rand.NewPCG(seed, 1)), sim.New(&sim.Options{
			Size: image.Pt(360, 720), Density: 180, Lang: []string{sim.LangEn, sim.LangZh}[seed%2],
		})}
		for range 400 {
			m.step()
			sane(t, m.p)
		}
		require.Equal(t, m.p.Size(), m.p.Frame().Image.Bounds().Size())
	}
}

func sane(t *testing.T, p *sim.Phone) {
	tree := p.Tree()
	if tree == nil {
		require.False(t, p.Power().On)
		return
	}
	require.Equal(t, p.Size(), tree.Size)
	require.NotEmpty(t, tree.App.ID)
	for n := range tree.Root.All() {
		if !n.Bounds.In(tree.Bounds()) || n.Bounds.Empty() || n.Flags&^n.Known != 0 {
			require.Fail(t, "a bad node", "%v %v %q", n.Bounds, n.Flags, n.Label())
		}
	}
	p.Frame()
}
