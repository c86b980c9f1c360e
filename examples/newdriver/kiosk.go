package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"strings"
	"sync"

	"github.com/handset-go/handset/driver"
)

// drinks are what the kiosk makes; to a driver they are its apps.
var drinks = []driver.App{
	{ID: "drink.coffee", Name: "Coffee"}, {ID: "drink.tea", Name: "Tea"}, {ID: "drink.cocoa", Name: "Cocoa"},
}

// panel is the size of the kiosk's touch panel, in pixels.
var panel = image.Pt(240, 320)

// page is what SHOW answers, as JSON.
type page struct {
	Size    image.Point
	Drink   string // that is being made, or menu
	Buttons []button
}

type button struct {
	Text   string
	Bounds image.Rectangle
}

// kiosk is a coffee machine with a touch panel. It knows nothing of package driver's contract; its wire is one line
// for each connection: FRAME, SHOW, TOUCH x1 y1 x2 y2 ms, KEY "name", START id.
type kiosk struct {
	mu    sync.Mutex
	drink string
	did   []string // the lines that it obeyed
}

func newKiosk() *kiosk { return &kiosk{drink: "menu"} }

// dial connects to the kiosk: a wire in this process, where another has a socket.
func (k *kiosk) dial(context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		line, err := bufio.NewReader(far).ReadString('\n')
		if err == nil {
			_, _ = far.Write(k.answer(strings.TrimSuffix(line, "\n")))
		}
	}()
	return near, nil
}

func (k *kiosk) answer(line string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "FRAME":
		return k.frame()
	case "SHOW":
		answer, _ := json.Marshal(k.page())
		return answer
	case "TOUCH":
		var x1, y1, x2, y2, ms int
		_, _ = fmt.Sscan(rest, &x1, &y1, &x2, &y2, &ms)
		in := image.Rectangle{Max: panel}
		if !image.Pt(x1, y1).In(in) || !image.Pt(x2, y2).In(in) {
			return []byte("ERR off-screen")
		}
		if i := k.buttonAt(image.Pt(x1, y1)); i >= 0 && ms == 0 {
			k.drink = drinks[i].ID
		}
	case "KEY":
		if rest != `"Home"` {
			return []byte("ERR no-key")
		}
		k.drink = "menu"
	case "START":
		k.drink = rest
	}
	k.did = append(k.did, line)
	return []byte("OK")
}

func (k *kiosk) page() page {
	p := page{Size: panel, Drink: k.drink}
	for i, d := range drinks {
		p.Buttons = append(p.Buttons, button{d.Name, image.Rect(20, 20+100*i, 220, 100+100*i)})
	}
	return p
}

func (k *kiosk) buttonAt(at image.Point) int {
	for i, b := range k.page().Buttons {
		if at.In(b.Bounds) {
			return i
		}
	}
	return -1
}

// frame draws the buttons; that of the drink being made is lit.
func (k *kiosk) frame() []byte {
	m := image.NewRGBA(image.Rectangle{Max: panel})
	draw.Draw(m, m.Bounds(), image.NewUniform(color.RGBA{40, 30, 20, 255}), image.Point{}, draw.Src)
	for i, b := range k.page().Buttons {
		ink := color.RGBA{150, 110, 70, 255}
		if drinks[i].ID == k.drink {
			ink = color.RGBA{250, 200, 80, 255}
		}
		draw.Draw(m, b.Bounds, image.NewUniform(ink), image.Point{}, draw.Src)
	}
	var out strings.Builder
	_ = png.Encode(&out, m)
	return []byte(out.String())
}

// obeyed returns what the kiosk did.
func (k *kiosk) obeyed() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.did...)
}
