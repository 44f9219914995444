package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fsa/internal/plots"
)

// Stability is stability.json: the agreement of half samples of the rows on the selected variables.
type Stability struct {
	Header
	Halves int      `json:"half_samples"`
	Index  *float64 `json:"index"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	Bound  *float64 `json:"bound"` // on the expected number of false selections
	Cutoff *float64 `json:"cutoff"`
	// Confidence is the level of the intervals if they account for the selection, and otherwise 0.
	Confidence float64             `json:"confidence"`
	Shares     map[string]float64  `json:"inclusion"`
	Variables  []StabilityVariable `json:"variables"`
}

// StabilityVariable is the stability of one variable.
type StabilityVariable struct {
	Name     string    `json:"name"`
	Share    float64   `json:"share"`
	Low      []float64 `json:"low"` // of each coefficient
	High     []float64 `json:"high"`
	Estimate []float64 `json:"estimate"` // of each coefficient, corrected for the selection
	Rivals   []Rival   `json:"rivals"`
}

// Rival is often selected instead of a variable.
type Rival struct {
	Name        string    `json:"name"`
	Share       float64   `json:"share"`       // share of the resamples without the variable that selected the rival
	Correlation float64   `json:"correlation"` // 0 unless both are numbers
	Instead     *Increase `json:"instead"`     // error with it in the place of the variable; nil if it was not measured
}

// Increase is the growth of the out-of-fold error when the variables of a model change.
type Increase struct {
	Mean  float64 `json:"mean"`
	Equal bool    `json:"equal"` // the model is not worse
}

func (r *Rival) String() string {
	if r.Correlation == 0 {
		return plots.Isolate(r.Name)
	}
	return fmt.Sprintf("%s (correlation %s)", plots.Isolate(r.Name), brief(r.Correlation))
}

// Tie is a variable of the model that fewer than half of the folds have selected or, if rivals were measured, any.
type Tie struct {
	Name    string    `json:"name"`
	Share   float64   `json:"share"`
	Without *Increase `json:"without"` // nil if rivals were not measured
	Rivals  []Rival   `json:"rivals"`
	Others  []string  `json:"others"` // nil if they are not known
}

// rivals returns the variables that are selected instead of a variable in half samples or, without
// these, in folds.
func (r *Run) rivals(v *Variable) []Rival {
	if s := r.stable(v); s != nil {
		return s.Rivals
	}
	if r.Curve != nil {
		for _, t := range r.Curve.Ties {
			if t.Name == v.column() {
				return t.Rivals
			}
		}
	}
	return nil
}

// tieText lists the variables of the model that most folds have not selected, and their possible
// replacements.
func tieText(r *Run) string {
	const most = 3 // maximal number of ties that are named
	absent := ""
	if r.Model.Absent != "" {
		absent = strings.ToUpper(r.Model.Absent[:1]) + r.Model.Absent[1:] + "."
	}
	if r.Curve == nil || len(r.Curve.Ties) == 0 || r.Curve.Ties[0].Without != nil {
		return absent
	}
	var parts []string
	for _, t := range r.Curve.Ties[:min(len(r.Curve.Ties), most)] {
		parts = append(parts, t.text())
	}
	if n := len(r.Curve.Ties) - most; n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return strings.TrimSpace("Selected by fewer than half of the folds: " + strings.Join(parts, ", ") + ". " + absent)
}

// text returns the name of the variable, the share of the folds that selected it, and its most
// frequent replacement.
func (t *Tie) text() string {
	text := fmt.Sprintf("%s (%s", plots.Isolate(t.Name), percent(t.Share))
	switch {
	case len(t.Rivals) > 0:
		r := t.Rivals[0]
		text += fmt.Sprintf("; %s could stand in for it", plots.Isolate(r.Name))
		if r.Correlation != 0 {
			text += ", correlation " + brief(r.Correlation)
		}
	case len(t.Others) > 0:
		text += "; other folds have " + plots.Isolate(t.Others[0]) + " instead"
	case t.Others != nil:
		text += "; other folds have nothing instead"
	}
	return text + ")"
}

// sure is the inclusion frequency above which a selection is called stable.
const sure = 0.8

// resample has the inclusion frequencies over half samples, or over folds.
type resample struct {
	of     string
	shares map[string]float64
}

// resamples returns the known inclusion frequencies.
func (r *Run) resamples() (list []resample) {
	if s := r.Stability; s != nil {
		shares := maps.Clone(s.Shares)
		if shares == nil {
			shares = map[string]float64{}
		}
		for _, v := range s.Variables {
			shares[v.Name] = v.Share
		}
		list = append(list, resample{"half samples", shares})
	}
	if r.Curve != nil && len(r.Curve.Shares) > 0 {
		list = append(list, resample{"folds", r.Curve.Shares})
	}
	return list
}

// frequency returns the inclusion frequency of a variable over half samples or, without these, over
// folds.
func (r *Run) frequency(name string) (share float64, of string, known bool) {
	by := r.resamples()
	if len(by) == 0 {
		return 0, "", false
	}
	return by[0].shares[name], by[0].of, true
}

// disagreement lists the variables whose inclusion frequencies in half samples and in folds differ
// strongly.
func (r *Run) disagreement() string {
	const apart, most = 0.5, 3
	by := r.resamples()
	if len(by) < 2 {
		return ""
	}
	var parts []string
	for _, name := range append(r.Model.columns(), r.others()...) {
		if a, b := by[0].shares[name], by[1].shares[name]; abs(a-b) > apart && len(parts) < most {
			parts = append(parts, fmt.Sprintf("%s (%s of the half samples, %s of the folds)", plots.Isolate(name), percent(a), percent(b)))
		}
	}
	if parts == nil {
		return ""
	}
	return " Half samples and folds disagree about " + strings.Join(parts, ", ") + ": a half sample has half of the rows, and a fold trains on more, so a weak variable may need all rows to be found."
}

// others returns the variables that are not in the model but were often selected in resamples, the
// most frequent first.
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

// stable returns the stability of a variable. If it has several parts, it is that of the part with
// intervals, for a line.
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

// intervals says what the intervals of effects are.
func (r *Run) intervals() string {
	if r.Stability == nil || r.Stability.Confidence == 0 {
		return "95% interval by half samples"
	}
	return percent(r.Stability.Confidence) + " interval that accounts for the selection"
}

// stableText describes the stability of the selection.
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
		return strings.TrimSpace(text+" "+tieText(r)) + r.disagreement()
	case r.Curve != nil && r.Curve.Agreement != nil:
		return fmt.Sprintf("Each of the %d folds made its own selection. Their agreement is %s (1: all select the same variables, 0: as by chance).", r.Curve.Folds, precise(*r.Curve.Agreement)) + strings.TrimRight(" "+tieText(r), " ")
	}
	return tieText(r)
}
