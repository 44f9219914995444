package fsa

import (
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/search"
	"fsa/loss"
)

// Interactions says whether pairs of variables may be selected. A pair adds the product of two
// standardised numbers, or a line for each category. It counts as one of the K selected. The zero
// value selects none.
type Interactions struct {
	// Find looks for pairs.
	Find bool
	// Most is the largest number of pairs; 0 means any number.
	Most int
	// Heredity says which variables of a pair must be selected with it, one of [Heredities]: both
	// ("strong", also ""), at least one ("weak"), or none ("none").
	Heredity string
}

// heredities lists the kinds of heredity.
var heredities = []search.Heredity{search.Strong, search.Weak, search.Apart}

// Heredities lists the values of [Interactions.Heredity].
func Heredities() []string {
	var names []string
	for _, h := range heredities {
		names = append(names, string(h))
	}
	return names
}

// check checks the options of interactions against the other options.
func (i *Interactions) check(o *Options) error {
	switch {
	case i.Heredity != "" && !slices.Contains(Heredities(), i.Heredity):
		return optionError("unknown heredity %q: it must be %s", i.Heredity, strings.Join(Heredities(), ", "))
	case i.Most < 0:
		return optionError("interactions = %d: the largest number of pairs must not be negative", i.Most)
	case !i.Find && (i.Most > 0 || i.Heredity != ""):
		return optionError("a number or a heredity of interactions is given, but they are not looked for: ask for interactions too")
	case !i.Find:
		return nil
	case o.Bins > 0:
		return optionError("interactions are products of straight lines: leave the bins out, or the interactions")
	case o.Selection.Polish:
		return optionError("polishing does not know interactions yet: leave it out")
	case len(o.Objective.Constraints) > 0:
		return optionError("constraints do not hold for interactions: leave the constraints out, or the interactions")
	case o.Selection.FDR > 0:
		return optionError("a false discovery rate is not controlled for interactions: leave fdr out, or the interactions")
	case o.Validation.Rivals:
		return optionError("rivals are variables, not interactions: leave rivals out, or the interactions")
	case o.Validation.Stability > 0:
		return optionError("the stability of interactions cannot be measured yet: leave stability out, or the interactions")
	case o.Run.Device != "" && o.Run.Device != DeviceCPU:
		return optionError("device %s: interactions are computed on the CPU only: leave the device out", o.Run.Device)
	}
	return nil
}

// terms returns the largest possible number of variables and pairs.
func (i *Interactions) terms(variables int) int {
	if !i.Find {
		return variables
	}
	pairs := variables * (variables - 1) / 2
	if i.Most > 0 {
		pairs = min(pairs, i.Most)
	}
	return variables + pairs
}

// fits returns an error if interactions are asked for and not possible for the data.
func (i *Interactions) fits(d *data.Dataset, s *search.Sample) error {
	switch {
	case !i.Find:
		return nil
	case d.Sparse():
		return optionError("interactions need a dense table, and %s is sparse: leave the interactions out", d.Name)
	case !d.InMemory():
		return optionError("interactions need a table in the memory of one machine, and %s is not: leave the interactions out, or give more memory", d.Name)
	case s.Loss.Outputs() > 1:
		return optionError("interactions need a loss with one decision value per row, and this one has %d: leave the interactions out", s.Loss.Outputs())
	case s.Task == loss.Ranking:
		return optionError("interactions are not available for ranking: leave them out")
	}
	return nil
}

// plain returns the options in the form of the search.
func (i *Interactions) plain() search.Interactions {
	if !i.Find {
		return search.Interactions{}
	}
	to := search.Interactions{Most: i.Most, Heredity: search.Heredity(i.Heredity)}
	if to.Most == 0 {
		to.Most = math.MaxInt32
	}
	if to.Heredity == "" {
		to.Heredity = search.Strong
	}
	return to
}
