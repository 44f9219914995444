package motion

import (
	"context"
	"slices"

	"fsa/data"
	"fsa/model"
)

// Segmenter chooses the best candidate of a sequence by a ranking model.
type Segmenter struct {
	model *model.Model
	pool  Pool
}

// Segmentation is the chosen candidate.
type Segmentation struct {
	Candidate
	// Of is the number of candidates. Score is the value of the model for the chosen candidate, the
	// largest of all.
	Of    int
	Score float64
	// Error is the share of misclassified points, or −1 if the truth is unknown.
	Error float64
}

// NewSegmenter returns a segmenter for a model that was trained on a [Table].
func NewSegmenter(m *model.Model) (*Segmenter, error) {
	if m.Task() != model.Ranking {
		return nil, &data.Error{Msg: "the model does not rank: give a model from 'fsa motion train'"}
	}
	pool, err := poolOf(m.Training().Target)
	if err != nil {
		return nil, err
	}
	return &Segmenter{m, pool}, nil
}

// Pool returns the candidates among which the model chooses.
func (g *Segmenter) Pool() Pool { return g.pool }

// Segment segments a sequence.
func (g *Segmenter) Segment(ctx context.Context, s *Sequence) (*Segmentation, error) {
	d, err := Describe(ctx, s, g.pool)
	if err != nil {
		return nil, err
	}
	z, err := score(g.model, d, AllFamilies)
	if err != nil {
		return nil, err
	}
	best := pick(z)
	out := &Segmentation{Candidate: d.Candidates[best], Of: len(d.Candidates), Score: z[best], Error: -1}
	if d.Errors != nil {
		out.Error = d.Errors[best]
	}
	return out, nil
}

// Picked returns the mean error, in percent of the points, of the candidates that a model chooses
// for sequences with known truth, and the mean error of the best candidates.
func Picked(m *model.Model, list []*Described) (picked, best float64, err error) {
	for _, d := range list {
		z, err := score(m, d, AllFamilies)
		if err != nil {
			return 0, 0, err
		}
		picked += 100 * d.Errors[pick(z)] / float64(len(list))
		best += 100 * slices.Min(d.Errors) / float64(len(list))
	}
	return picked, best, nil
}

// score returns the values of a model for the candidates of a sequence.
func score(m *model.Model, d *Described, families Family) ([]float64, error) {
	cols := columns(d.Features, families)
	scorer, err := m.Scorer(schema(d.Features, cols))
	if err != nil {
		return nil, err
	}
	return scorer.Score(d.block(cols))
}

// pick returns the position of the largest number, the first of equal ones.
func pick(z []float64) int {
	best := 0
	for i, v := range z {
		if v > z[best] {
			best = i
		}
	}
	return best
}
