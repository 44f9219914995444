package anneal_test

import (
	"math"
	"testing"

	"fsa/anneal"
)

func TestBadSettings(t *testing.T) {
	l := anneal.Uniform(5, 1, 1)
	nan, inf := math.NaN(), math.Inf(1)
	for name, s := range map[string]anneal.Settings{
		"K = 0":                 {},
		"K < 0":                 {K: -1},
		"K > groups":            {K: 6},
		"more forced than K":    {K: 2, Force: []int{0, 1, 2}},
		"forced below 0":        {K: 2, Force: []int{-1}},
		"forced above groups":   {K: 2, Force: []int{5}},
		"Mu < 0":                {K: 2, Mu: -1},
		"Mu not a number":       {K: 2, Mu: nan},
		"Eta < 0":               {K: 2, Eta: -1},
		"Eta infinite":          {K: 2, Eta: inf},
		"Tolerance < 0":         {K: 2, Tolerance: -1e-9},
		"Momentum = 1":          {K: 2, Momentum: 1},
		"Momentum not a number": {K: 2, Momentum: nan},
		"Iterations < 0":        {K: 2, Iterations: -1},
		"WarmUp < 0":            {K: 2, WarmUp: -1},
	} {
		t.Run(name, func(t *testing.T) {
			obj := watched{Curved: linear(1, 10, l, spread(l, 0), 0), eval: func(int) error {
				t.Error("the objective was evaluated")
				return nil
			}}
			r, err := anneal.Run(t.Context(), obj, s)
			if err == nil || r != nil {
				t.Errorf("Run returned %v and the error %v", r, err)
			}
		})
	}
}

// TestDefaults checks that zero values have their documented meaning.
func TestDefaults(t *testing.T) {
	l := anneal.Uniform(50, 1, 0)
	short := anneals(t, linear(1, 40, l, spread(l, 2), 0.1), anneal.Settings{K: 3})
	long := anneals(t, linear(1, 40, l, spread(l, 2), 0.1), anneal.Settings{
		K: 3, Mu: 100, Schedule: anneal.Inverse(100), Iterations: 500, Momentum: 0.9,
	})
	if len(short.Trace) != 500 || !closeTo(short.Beta, long.Beta, 0) {
		t.Errorf("%d epochs give %g, want %g", len(short.Trace), short.Beta, long.Beta)
	}
	if short.Status != anneal.Completed || short.Status.String() != "completed" {
		t.Errorf("status %v", short.Status)
	}
}
