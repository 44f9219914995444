package fsa

import (
	"context"
	"fmt"
	"time"

	"fsa/checkpoint"
	"fsa/internal/subset"
)

// tried learns a way at a size, and returns its loss on the rows that were not learned
// from. What a record knows is not learned again: then the solution has no margins, and
// complete finds them.
func (p *path) tried(ctx context.Context, w way, size int) (*subset.Solution, float64, error) {
	name, done := p.journal.next(fmt.Sprintf("learn %v %v %v %v %d", w.descent, w.swap, w.ridge, w.adaptive, size))
	key := learnedKey{w.swap, size}
	if done != nil {
		s, loss, err := p.remembered(name, done, size)
		if err != nil {
			return nil, 0, err
		}
		p.origin[s], p.last[key] = p.begin(w.swap, size), s
		p.meter.Cells = done.Cells
		return s, loss, nil
	}
	s, err := p.learn(ctx, w, size, p.begin(w.swap, size))
	if err != nil {
		return nil, 0, err
	}
	loss := p.fold.loss(s)
	if r := p.journal.record; r != nil {
		numbers := append([]float64{loss}, s.Intercept...)
		for _, beta := range s.Beta {
			numbers = append(numbers, beta...)
		}
		r.Put(name, &checkpoint.Task{Done: true, Numbers: numbers, Cells: p.meter.Cells}, time.Now())
	}
	return s, loss, nil
}

// remembered returns what was learned of a size once, and its loss.
func (p *path) remembered(name string, t *checkpoint.Task, size int) (*subset.Solution, float64, error) {
	outputs := p.response.Loss.Outputs()
	n := len(t.Numbers) - 1 - outputs
	if n != outputs*len(p.columnsOf(p.set(size))) { // swaps leave the number of columns as it is
		return nil, 0, fmt.Errorf("%w: %s is not one of this fit", checkpoint.ErrFile, name)
	}
	s := &subset.Solution{Intercept: t.Numbers[1 : 1+outputs]}
	for c := range outputs {
		s.Beta = append(s.Beta, t.Numbers[1+outputs+c*n/outputs:1+outputs+(c+1)*n/outputs])
	}
	return s, t.Numbers[0], nil
}

// complete finds the margins of what was remembered: it learns it once more, from where
// that had begun.
func (t *tuner) complete(ctx context.Context, c choice) error {
	return t.each(ctx, func(i int) (err error) {
		s := c.solutions[i]
		if s == nil || s.Z != nil {
			return nil
		}
		p := t.paths[c.descent][i]
		c.solutions[i], err = p.learn(ctx, c.way, c.size, p.origin[s])
		return err
	})
}
