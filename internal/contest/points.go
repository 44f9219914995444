package contest

import (
	"math"

	"fsa/validate"
)

// Point is a point of the curve of error against size, by the folds that are done.
type Point struct {
	First bool // the first one of another curve
	Size  int  // number of variables; 0 is the null model
	Folds int  // number of folds that are done
	Of    int  // number of all folds
	Mean  float64
	SE    float64 // standard error of the mean, as of one repeat; 0 with one fold
}

// points reports the curve while folds are done. For each size it reports the first recipe fold by fold, and then every
// recipe that is better.
type points struct {
	tell    func(Point)
	folds   int
	repeats int
	told    bool
	least   map[int]float64 // lowest error of each size that is complete
}

func newPoints(tell func(Point), folds, repeats int) *points {
	return &points{tell: tell, folds: folds, repeats: repeats, least: map[int]float64{}}
}

// begin returns the function to call with the error of each fold at a size.
func (p *points) begin(size int) func(err float64) {
	if p.tell == nil {
		return func(float64) {}
	}
	var errors []float64
	return func(err float64) {
		errors = append(errors, err)
		at := validate.NewCurve([]int{size}, [][]float64{errors}, nil, 1).Points[0]
		least, known := p.least[size]
		complete := len(errors) == p.folds
		if !finite(at.Mean) || known && (!complete || at.Mean >= least) {
			return
		}
		if complete {
			p.least[size] = at.Mean
		}
		if n := len(errors); n == 1 {
			at.SE = 0
		} else {
			at.SE *= math.Sqrt(float64(n) / float64(min(n, p.folds/p.repeats)))
		}
		p.tell(Point{First: !p.told, Size: size, Folds: len(errors), Of: p.folds, Mean: at.Mean, SE: at.SE})
		p.told = true
	}
}
