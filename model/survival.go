package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/loss"
)

// Ties lists the methods by which the cox loss treats events at the same time.
func Ties() []string { return []string{"efron", loss.TiesBreslow} }

// tiesSetting returns the method as models save it.
func tiesSetting(ties string) string {
	if ties == Ties()[0] {
		return ""
	}
	return ties
}

// setSurvival prepares survival times.
func (r *Response) setSurvival(d *data.Dataset, p *loss.Params) error {
	t := *r.Target
	if t.Event == nil {
		return &data.Error{File: d.Name, Msg: "the cox loss needs to know which rows had the event: name their column with --event; it holds 1 for an event at the time of the target, and 0 for a row that was observed until then"}
	}
	weight, events := loss.Target{Weight: t.Weight}, 0
	times := map[float64]bool{}
	p.Events = make([]bool, len(t.Event))
	for i, e := range t.Event {
		if p.Events[i] = e != 0; p.Events[i] && weight.WeightOf(i) > 0 {
			events++
			times[t.Y[i]] = true
		}
	}
	if events == 0 {
		return &data.Error{File: d.Name, Column: t.EventName, Msg: "no row had the event, so there is nothing to learn; if 1 marks rows without an event, swap 0 and 1"}
	}
	if events == 1 {
		return &data.Error{File: d.Name, Column: t.EventName, Msg: "only one row had the event, and no fold could be tested without losing it: at least 2 are needed; if 1 marks rows without an event, swap 0 and 1"}
	}
	if len(times) == 1 {
		return &data.Error{File: d.Name, Column: t.Name, Msg: fmt.Sprintf("all %d events are at the same time: give times that tell earlier events from later ones, or --loss logistic with the event as the target", events)}
	}
	for i, entry := range t.Entry {
		if entry >= t.Y[i] {
			return &data.Error{File: d.Name, Column: t.EntryName, Row: i + 1, Msg: fmt.Sprintf("the entry is %v, but the row was observed until %v: a row must enter before that; correct the times, or leave the row out", entry, t.Y[i])}
		}
	}
	p.Times, p.Strata, p.Entries = t.Y, t.Stratum, t.Entry
	t.Query = []int{0, len(t.Y)} // one block holds all rows
	r.Target = &t
	return nil
}

// baselines returns the cumulative hazards of the training rows, computed from their decision
// values.
func (r *Response) baselines(z []float64) []Baseline {
	t, weight := r.Target, loss.Target{Weight: r.rowWeight}
	var entered []float64 // the hazard at the time of each row, if rows enter late
	if t.Entry != nil {
		entered = r.hazards(z)
	}
	byStratum := map[float64][]int{}
	for i := range t.Y {
		s := 0.0
		if t.Stratum != nil {
			s = t.Stratum[i]
		}
		if weight.WeightOf(i) > 0 {
			byStratum[s] = append(byStratum[s], i)
		}
	}
	var strata []float64
	for s := range byStratum {
		strata = append(strata, s)
	}
	slices.Sort(strata)
	var list []Baseline
	for _, s := range strata {
		b := Baseline{}
		if t.Stratum != nil {
			b.Stratum = stratumName(s)
		}
		rows := byStratum[s]
		slices.SortStableFunc(rows, func(i, j int) int { return cmp.Compare(t.Y[j], t.Y[i]) })
		var steps []float64
		risk := 0.0
		for lo := 0; lo < len(rows); {
			hi, events := lo, 0.0
			for hi < len(rows) && t.Y[rows[hi]] == t.Y[rows[lo]] {
				i := rows[hi]
				risk += weight.WeightOf(i) * math.Exp(min(z[i], largestRisk))
				events += weight.WeightOf(i) * t.Event[i]
				hi++
			}
			if events > 0 && risk > 0 {
				step := events / risk
				if entered != nil {
					step = entered[rows[lo]]
				}
				b.Times, steps = append(b.Times, t.Y[rows[lo]]), append(steps, step)
			}
			lo = hi
		}
		slices.Reverse(b.Times)
		slices.Reverse(steps)
		sum := 0.0
		for _, v := range steps {
			sum += v
			b.Hazard = append(b.Hazard, min(sum, math.MaxFloat64))
		}
		list = append(list, b)
	}
	return list
}

// hazards returns the hazard at the time of each row, of rows with entries.
func (r *Response) hazards(z []float64) []float64 {
	t, risk := r.Target, slices.Clone(z)
	p := loss.Params{Times: t.Y, Strata: t.Stratum, Entries: t.Entry}
	for i := range risk {
		risk[i] = min(risk[i], largestRisk)
		p.Events = append(p.Events, t.Event[i] != 0)
	}
	return loss.NewCox(p).Hazards(risk, loss.Target{Y: t.Y, Weight: r.rowWeight})
}

// largestRisk is the largest log hazard ratio of a row that enters the baseline hazard.
const largestRisk = 300

// stratumName writes the label of a stratum.
func stratumName(s float64) string { return fmt.Sprintf("%.17g", s) }
