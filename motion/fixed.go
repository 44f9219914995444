package motion

import (
	"slices"
	"strings"
)

// fixedMethod picks a candidate without having learned.
type fixedMethod struct {
	name string
	pick func(d *Described) int
}

// fixedMethods returns what learning is compared with.
func fixedMethods() []fixedMethod {
	return []fixedMethod{
		{Oracle, func(d *Described) int { return slices.Index(d.Errors, slices.Min(d.Errors)) }},
		{VC, pickVC},
		{SC, pickOf(SC)},
		{SSC, pickOf(SSC)},
	}
}

// The names of methods that do not learn.
const (
	Oracle = "oracle" // the best candidate there is: the limit of ranking
	VC     = "vc"     // velocity clustering with an error measure of its own
	SC     = "sc"     // spectral clustering of tracks
	SSC    = "ssc"    // sparse subspace clustering
)

// pickVC picks among the candidates of velocity clustering the one whose tracks
// are nearest to the affine subspaces of their motions, by the mean distance.
func pickVC(d *Described) int {
	column := slices.IndexFunc(d.Features, func(f Feature) bool { return f.Name == trackMean })
	best := -1
	for i, c := range d.Candidates {
		ours := slices.ContainsFunc(c.Origins, func(name string) bool { return strings.HasPrefix(name, VC) })
		if ours && (best < 0 || d.raw[i][column] < d.raw[best][column]) {
			best = i
		}
	}
	return best
}

// pickOf returns what picks the candidate of a method, −1 where it is not in the
// pool.
func pickOf(method string) func(*Described) int {
	return func(d *Described) int {
		return slices.IndexFunc(d.Candidates, func(c Candidate) bool { return slices.Contains(c.Origins, method) })
	}
}

// result measures the method on all sequences; false if it is not in the pool.
func (f fixedMethod) result(list []*Described) (Result, bool) {
	s := make(sample, len(list))
	for i, d := range list {
		picked := f.pick(d)
		if picked < 0 {
			return Result{}, false
		}
		s[i] = 100 * d.Errors[picked]
	}
	r := Result{Method: f.name}
	r.fill(list, []sample{s}, nil)
	return r, true
}
