package fsa

import (
	"cmp"
	"math"
	"sync"

	"fsa/validate"
)

// CurvePoint is a point of the curve of error against size, as far as folds have filled it.
type CurvePoint struct {
	First   bool   // the first one of another curve
	Measure string // what the mean is of
	Size    int    // number of variables; 0 is the null model
	Folds   int    // that have learned this size,
	Of      int    // of so many
	Mean    float64
	SE      float64 // standard error of the mean, as of one repeat; 0 with one fold
}

// points tells of the curve while folds fill it. Of several ways to fit it tells of the
// first one fold by fold, and then of those that are better.
type points struct {
	tell    func(CurvePoint)
	measure string
	folds   int
	repeats int

	mu    sync.Mutex
	told  bool
	least map[int]float64 // error of sizes that all folds have learned
}

// begin returns what is to be called with the error of each fold that has learned a size.
// Swaps are tried at one size alone, and are no part of the curve.
func (p *points) begin(w way, size int) func(loss float64) {
	if p.tell == nil || w.swap != (swaps{}) {
		return func(float64) {}
	}
	var losses []float64
	return func(loss float64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		losses = append(losses, loss)
		at := validate.NewCurve([]int{size}, [][]float64{losses}, nil, 1).Points[0]
		least, known := p.least[size]
		complete := len(losses) == p.folds
		if math.IsNaN(at.Mean) || math.IsInf(at.Mean, 0) || known && (!complete || at.Mean >= least) {
			return
		}
		if complete {
			p.least[size] = at.Mean
		}
		if n := len(losses); n == 1 {
			at.SE = 0
		} else {
			at.SE *= math.Sqrt(float64(n) / float64(min(n, p.folds/p.repeats)))
		}
		p.tell(CurvePoint{First: !p.told, Measure: p.measure, Size: size, Folds: len(losses), Of: p.folds, Mean: signed(p.measure, at.Mean), SE: at.SE})
		p.told = true
	}
}

// measureName names what is compared.
func (j *Job) measureName() string { return cmp.Or(j.options.Measure, j.response.Name) }
