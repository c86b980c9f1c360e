package action

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
)

func at(x, y float64, in Space) Target { return Target{At: Point{x, y, in}} }

// Models that were not trained on the protocol write fractions of the screen. The corner of a pixel that they would
// be in thousandths is what nobody means.
func TestFractionsOfTheScreen(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		want        Action
	}{
		{"the middle", `do(action="Tap", element=[0.5,0.5])`, Tap{Target: at(0.5, 0.5, Fraction)}},
		{"written short", `do(action="Tap", element=[.25,.75])`, Tap{Target: at(0.25, 0.75, Fraction)}},
		{"a string", `do(action="Tap", element="0.5, 0.5")`, Tap{Target: at(0.5, 0.5, Fraction)}},
		{"an object", `{"action":"Tap","element":{"x":0.5,"y":0.9}}`, Tap{Target: at(0.5, 0.9, Fraction)}},
		{"at the left edge", `do(action="Tap", element=[0,0.5])`, Tap{Target: at(0, 0.5, Fraction)}},
		{"at the right edge", `do(action="Tap", element=[1.0,0.5])`, Tap{Target: at(1, 0.5, Fraction)}},
		{"a box", `do(action="Tap", element=[0.25,0.5,0.75,1.0])`, Tap{Target: at(0.5, 0.75, Fraction)}},
		{"the box of the whole screen", `do(action="Tap", element=[0,0,1,1])`, Tap{Target: at(0.5, 0.5, Fraction)}},
		{"a swipe", `do(action="Swipe", start=[0.5,0.75], end=[0.5,0.25])`, Swipe{From: at(0.5, 0.75, Fraction), To: at(0.5, 0.25, Fraction)}},
		{"a swipe into a corner", `do(action="Swipe", start=[0.5,0.5], end=[1,1])`, Swipe{From: at(0.5, 0.5, Fraction), To: at(1, 1, Fraction)}},
		{"a gesture", `do(action="Gesture", paths=[[[0.5,0.5],[1,0]]])`, Gesture{Paths: [][]Point{{{0.5, 0.5, Fraction}, {1, 0, Fraction}}}}},

		{"the first corner", `do(action="Tap", element=[0,0])`, Tap{Target: at(0, 0, PerMille)}},
		{"another", `do(action="Tap", element=[0,1])`, Tap{Target: at(0, 1, PerMille)}},
		{"the first pixels", `do(action="Tap", element=[1,1])`, Tap{Target: at(1, 1, PerMille)}},
		{"the same with a decimal point", `do(action="Tap", element=[1.0,1.0])`, Tap{Target: at(1, 1, PerMille)}},
		{"one beyond", `do(action="Tap", element=[0.5,2])`, Tap{Target: at(0.5, 2, PerMille)}},
		{"thousandths with a fraction", `do(action="Tap", element=[500.5,0.5])`, Tap{Target: at(500.5, 0.5, PerMille)}},
		{"a swipe that ends beyond", `do(action="Swipe", start=[0.5,0.5], end=[500,300])`, Swipe{From: at(0.5, 0.5, PerMille), To: at(500, 300, PerMille)}},
		{"a swipe that ends at a row", `do(action="Swipe", start=[0.5,0.5], to_ref=3)`, Swipe{From: at(0.5, 0.5, Fraction), To: Target{Ref: 3}}},
		{"a scale is no point", `do(action="Pinch", element=[1,1], scale=0.5)`, Pinch{Target: at(1, 1, PerMille), Scale: 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse(c.reply)
			require.NoError(t, err)
			require.Equal(t, c.want, got.Action)
			again, err := Parse(Format(got.Action))
			require.NoError(t, err)
			require.Equal(t, got.Action, again.Action)
			data, err := EncodeJSON(got.Action)
			require.NoError(t, err)
			back, err := DecodeJSON(data)
			require.NoError(t, err)
			require.Equal(t, got.Action, back)
		})
	}
}

func TestFractionsInJSON(t *testing.T) {
	view := View{Frame: image.Pt(1080, 2400)}
	data, err := Describe(Tap{Target: at(0.5, 0.25, Fraction)}, &view)
	require.NoError(t, err)
	require.Equal(t, `{"verb":"Tap","at":[0.5,0.25],"px":[540,600],"space":"fraction"}`, string(data))

	// What was made in thousandths stays there.
	tiny := Tap{Target: at(0.5, 0.25, PerMille)}
	data, err = EncodeJSON(tiny)
	require.NoError(t, err)
	require.Equal(t, `{"verb":"Tap","at":[0.5,0.25],"space":"per-mille"}`, string(data))
	back, err := DecodeJSON(data)
	require.NoError(t, err)
	require.Equal(t, tiny, back)

	call, err := FromCall("tap", []byte(`{"at":[0.5,0.25]}`))
	require.NoError(t, err)
	require.Equal(t, Tap{Target: at(0.5, 0.25, Fraction)}, call)
}

func TestPixelOfAFraction(t *testing.T) {
	view := View{Frame: image.Pt(1080, 2400), Crop: image.Rect(0, 400, 1080, 2400), Sent: image.Pt(540, 1000)}
	for _, c := range []struct {
		x, y float64
		want image.Point
	}{
		{0, 0, image.Pt(0, 400)}, {0.5, 0.5, image.Pt(540, 1400)}, {1, 1, image.Pt(1079, 2399)}, {0.999, 0.25, image.Pt(1078, 900)},
	} {
		px, err := view.Pixel(Point{c.x, c.y, Fraction})
		require.NoError(t, err)
		require.Equal(t, c.want, px)
	}
	_, err := view.Pixel(Point{1.5, 0.5, Fraction})
	require.ErrorIs(t, err, ErrOutside)
	require.ErrorContains(t, err, "within 0 to 1")
	_, err = view.Pixel(Point{-1, -1, Fraction})
	require.ErrorIs(t, err, ErrNoTarget)
	in, err := ParseSpace("fraction")
	require.NoError(t, err)
	require.Equal(t, Fraction, in)
}

func TestReadPoint(t *testing.T) {
	require.Equal(t, Point{0.5, 0.5, Fraction}, ReadPoint(0.5, 0.5))
	require.Equal(t, Point{500, 300, PerMille}, ReadPoint(500, 300))
	require.Equal(t, Point{1, 1, PerMille}, ReadPoint(1, 1))
	require.Equal(t, Point{-0.5, 0.5, PerMille}, ReadPoint(-0.5, 0.5), "which is outside")
}
