package motion

import (
	"context"
	"slices"
	"strings"

	"fsa/internal/parallel"
)

// fixedMethod segments without training.
type fixedMethod struct {
	name string
	// pick returns the index of the chosen candidate, or −1 if the method is not in the pool.
	pick func(d *Described) int
	// segment is set instead of pick if the method is in no pool.
	segment func(ctx context.Context, s *Sequence) (Labels, error)
}

// fixedMethods returns the methods that ranking is compared with.
func fixedMethods() []fixedMethod {
	return []fixedMethod{
		{name: Oracle, pick: func(d *Described) int { return slices.Index(d.Errors, slices.Min(d.Errors)) }},
		{name: VC, pick: pickVC},
		{name: SC, pick: pickOf(SC)},
		{name: SSC, pick: pickOf(SSC)},
		{name: RV, segment: randomizedVoting},
	}
}

// pickVC chooses, among the candidates of velocity clustering, the one whose tracks are nearest to
// the affine subspaces of their motions, by the mean distance.
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

// pickOf returns a function that chooses the candidate of a method, or −1 if the method is not in
// the pool.
func pickOf(method string) func(*Described) int {
	return func(d *Described) int {
		return slices.IndexFunc(d.Candidates, func(c Candidate) bool { return slices.Contains(c.Origins, method) })
	}
}

// result evaluates the method on all sequences. It returns false if the method is not compared in
// this pool. Methods that are in no pool are compared in the wide pool.
func (f fixedMethod) result(ctx context.Context, list []*Described, o Options) (r Result, ok bool, err error) {
	s := make(sample, len(list))
	if f.segment != nil {
		if o.Pool != WidePool {
			return Result{}, false, nil
		}
		step := counter(o.Log, "segmenting by "+f.name, len(list))
		err = parallel.Do(ctx, 0, len(list), func(_, i int) error {
			found, err := numbersOf(o.Record, f.name+" of "+list[i].Name, 1, func() ([]float64, error) {
				labels, err := f.segment(ctx, list[i].Sequence)
				if err != nil {
					return nil, err
				}
				return []float64{100 * Error(labels, list[i].Truth)}, nil
			})
			if err == nil {
				s[i] = found[0]
				step()
			}
			return err
		})
		if err != nil {
			return Result{}, false, err
		}
	} else {
		for i, d := range list {
			picked := f.pick(d)
			if picked < 0 {
				return Result{}, false, nil
			}
			s[i] = 100 * d.Errors[picked]
		}
	}
	r = Result{Method: f.name}
	r.fill(list, []sample{s}, nil)
	return r, true, nil
}
