package model

// Baseline is the cumulative hazard of rows whose decision value is 0, by Breslow (1974): a step function of
// time.
type Baseline struct {
	// Stratum is that of the rows, of a model with strata.
	Stratum string `json:"stratum,omitempty"`
	// Times are those of events, ascending, and Hazard is the cumulative hazard from each of them on.
	Times  []float64 `json:"times"`
	Hazard []float64 `json:"hazard"`
}
