package action

// ReadPoint is the point that a model means by two numbers: a Fraction of the picture where both are
// within 0 to 1 and at least one lies between, as in [0.5,0.25] and [0,0.5], and otherwise a point in
// PerMille. Models that were not trained on the protocol write fractions, and nobody means a part of
// the first thousandth. The corners [0,0], [0,1], [1,0] and [1,1] stay in PerMille.
func ReadPoint(x, y float64) Point {
	p := Point{X: x, Y: y}
	p.Space = meant(PerMille, []*Point{&p})
	return p
}

// meant is the space that the points of one action are read in, where they were written for a space
// of thousandths: if one of them is surely a fraction and all can be, they all are.
func meant(in Space, points []*Point) Space {
	if in.unit != unitPerMille && in.unit != unitThousand {
		return in
	}
	between := false
	for _, p := range points {
		for _, v := range []float64{p.X, p.Y} {
			if !(v >= 0 && v <= 1) {
				return in
			}
			between = between || v > 0 && v < 1
		}
	}
	if between {
		return Fraction
	}
	return in
}
