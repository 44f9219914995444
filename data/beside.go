package data

import "math"

// Beside is a role of a column that says something about the target of each row: its event, stratum, entry or trials.
type Beside struct {
	// Word and Plural name what the column holds.
	Word, Plural string
	// Column is its name or number, and Vector the list that replaces it; one of them may be set.
	Column *string
	Vector **Vector

	check func(float64) *Error
	of    func(cell float64, texts []string) float64 // what a cell says; nil means the cell
	to    func(*Target) (list *[]float64, name *string)
}

// Beside returns these roles, in an order that never changes.
func (r *Roles) Beside() []Beside {
	return []Beside{
		{"event", "events", &r.Event, &r.EventVector, checkEvent, eventOf, func(t *Target) (*[]float64, *string) { return &t.Event, &t.EventName }},
		{"stratum", "strata", &r.Stratum, &r.StratumVector, checkStratum, nil, func(t *Target) (*[]float64, *string) { return &t.Stratum, &t.StratumName }},
		{"entry", "entries", &r.Entry, &r.EntryVector, checkEntry, number, func(t *Target) (*[]float64, *string) { return &t.Entry, &t.EntryName }},
		{"number of trials", "trials", &r.Trials, &r.TrialsVector, checkTrials, number, func(t *Target) (*[]float64, *string) { return &t.Trials, &t.TrialsName }},
	}
}

// number returns a cell of a column of numbers; a text is none.
func number(cell float64, texts []string) float64 {
	if texts != nil && cell == cell {
		return math.Inf(1)
	}
	return cell
}
