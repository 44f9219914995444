package live

import (
	"cmp"
	"slices"
	"time"
)

// Curve is the error against the number of variables, as far as it is known.
type Curve struct {
	Measure string       `json:"measure"` // the drawn measure
	Larger  bool         `json:"larger"`  // larger is better
	Points  []CurvePoint `json:"points"`  // in ascending order of size
	version int
}

// CurvePoint is one size of a curve.
type CurvePoint struct {
	Size  int     `json:"size"`
	Folds int     `json:"folds"` // folds that are done
	Of    int     `json:"of"`    // number of folds
	Mean  float64 `json:"mean"`
	SE    float64 `json:"se"`
}

// BeginCurve starts another curve, without points.
func (s *Board) BeginCurve(measure string, larger bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Curve = Curve{Measure: measure, Larger: larger, version: s.state.Curve.version + 1}
}

// Fill sets a point of the curve. Readers are not woken for each: there may be thousands per
// second.
func (s *Board) Fill(p CurvePoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Curve.fill(p)
	if !s.waking {
		s.waking = true
		time.AfterFunc(s.pause, func() { s.update(func(*state) { s.waking = false }) })
	}
}

// fill sets a point, and drops others so that there are never too many.
func (c *Curve) fill(p CurvePoint) {
	c.version++
	at, found := slices.BinarySearchFunc(c.Points, p.Size, func(q CurvePoint, size int) int { return cmp.Compare(q.Size, size) })
	if found {
		c.Points[at] = p
		return
	}
	if c.Points = slices.Insert(c.Points, at, p); len(c.Points) <= points {
		return
	}
	kept := c.Points[:0]
	for i, p := range c.Points {
		if i%2 == 0 {
			kept = append(kept, p)
		}
	}
	c.Points = kept
}
