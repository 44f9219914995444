package objective

import (
	"context"
	"math"
	"slices"
)

// NullModel returns the best intercept without any variable, if the objective has one, and its mean loss,
// the null loss; 0 means that this is unknown. With this intercept, the first gradient depends on the
// variables only. For many rows it is approximated on a part of them, followed by a few iterations on all.
func (ob *Objective) NullModel(ctx context.Context) ([]float64, float64) {
	const (
		most = 100 // iterations on few rows, or on parts
		few  = 5   // iterations on many rows
	)
	const part, parts = 1024, 64
	all := ob.rows.cut(span{0, len(ob.rows.y)}, part)
	b := make([]float64, ob.outputs)
	looks := most
	if ob.layout.Free == 0 {
		looks = 1
	} else if len(all) > parts {
		ob.settle(ctx, b, every((len(all)+parts-1)/parts, all), most)
		looks = few
	}
	mean := ob.settle(ctx, b, all, looks)
	switch {
	case !finite(b...) || !finite(mean):
		return nil, 0
	case ob.layout.Free == 0:
		return nil, mean
	}
	return b, mean
}

// settle moves the intercept b towards the minimum of the mean loss over the spans, by steps that cannot
// overshoot, and returns the mean before the last step. It ends early when the context is cancelled; the
// result is not used then.
func (ob *Objective) settle(ctx context.Context, b []float64, spans []span, most int) float64 {
	const enough = 1e-6
	var w worker
	var mean float64
	for range most {
		slope := make([]float64, ob.outputs)
		var bound, sum, weight float64
		for _, s := range spans {
			if ctx.Err() != nil {
				return 0
			}
			n := s.hi - s.lo
			w.resize(n, ob.outputs)
			for i := range w.z {
				w.z[i] = b[i/n]
			}
			t := ob.rows.target(s)
			value, part := ob.loss.Eval(w.r, w.z, t)
			sum, weight = sum+value, weight+part
			ob.loss.Curvature(w.d, t)
			for i, v := range w.r {
				slope[i/n] += v
			}
			for _, v := range w.d {
				bound += v
			}
		}
		if weight == 0 { // no row has a weight
			return 0
		}
		mean = sum / weight
		moved := 0.0
		for c := range b {
			step := slope[c] / bound
			b[c] -= step
			moved = max(moved, math.Abs(step))
		}
		if !(moved > enough) {
			break
		}
	}
	return mean
}

// finite reports whether all numbers are finite.
func finite(v ...float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
