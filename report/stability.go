package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Stability is stability.json: how far half samples of the rows agree on the variables.
type Stability struct {
	Header
	Halves    int                 `json:"halves"`
	Index     *float64            `json:"index"`
	Low       *float64            `json:"low"`
	High      *float64            `json:"high"`
	Bound     *float64            `json:"bound"` // on the expected number of false ones
	Cutoff    *float64            `json:"cutoff"`
	Shares    map[string]float64  `json:"shares"`
	Variables []StabilityVariable `json:"variables"`
}

// StabilityVariable says how surely a variable was chosen.
type StabilityVariable struct {
	Name   string    `json:"name"`
	Share  float64   `json:"share"`
	Low    []float64 `json:"low"` // of each coefficient
	High   []float64 `json:"high"`
	Rivals []Rival   `json:"rivals"`
}

// Rival tends to be chosen where a variable is not.
type Rival struct {
	Name        string  `json:"name"`
	Correlation float64 `json:"correlation"`
}

// sure is the share of resamples above which a variable is said to be chosen surely.
const sure = 0.8

// frequency returns in which share of resamples, or else of folds, a variable was chosen.
func (r *Run) frequency(name string) (share float64, of string, known bool) {
	if s := r.Stability; s != nil {
		if i := slices.IndexFunc(s.Variables, func(v StabilityVariable) bool { return v.Name == name }); i >= 0 {
			return s.Variables[i].Share, "half samples", true
		}
		return s.Shares[name], "half samples", true
	}
	if r.Curve != nil && len(r.Curve.Shares) > 0 {
		return r.Curve.Shares[name], "folds", true
	}
	return 0, "", false
}

// others returns the variables that were not chosen in the end but often on the way, the most
// frequent first.
func (r *Run) others() []string {
	const most, least = 10, 0.1
	shares := map[string]float64{}
	if r.Stability != nil {
		shares = r.Stability.Shares
	} else if r.Curve != nil {
		shares = r.Curve.Shares
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		chosen := slices.ContainsFunc(r.Model.Variables, func(v Variable) bool { return v.column() == name })
		if !chosen && shares[name] >= least {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(shares[b], shares[a]) })
	return names[:min(len(names), most)]
}

// stable returns what is known of a variable from resamples; of one with several parts, that
// which has intervals if it is a line.
func (r *Run) stable(v *Variable) (found *StabilityVariable) {
	if r.Stability == nil {
		return nil
	}
	for i := range r.Stability.Variables {
		s := &r.Stability.Variables[i]
		if s.Name == v.column() && (found == nil || v.Kind == KindLinear && len(s.Low) > 0) {
			found = s
		}
	}
	return found
}

// stableText says in words how sure the selection is.
func stableText(r *Run) string {
	s := r.Stability
	switch {
	case s != nil:
		text := "The selection was repeated on " + plural(s.Halves, "half sample", "half samples") + " of the rows."
		if s.Index != nil {
			text += fmt.Sprintf(" Its stability is %s (1: all select the same variables, 0: as by chance).", precise(*s.Index))
		}
		if s.Bound != nil && s.Cutoff != nil {
			text += fmt.Sprintf(" Among the variables selected in at least %s of them, the expected number of false selections is at most %s.", percent(*s.Cutoff), brief(*s.Bound))
		}
		return text
	case r.Curve != nil && r.Curve.Agreement != nil:
		return fmt.Sprintf("Each of the %d folds made its own selection. Their agreement is %s (1: all select the same variables, 0: as by chance).", r.Curve.Folds, precise(*r.Curve.Agreement))
	}
	return ""
}
