package model

// Baseline is the cumulative hazard of rows with a decision value of 0, by Breslow (1974): a step
// function of time.
type Baseline struct {
	// Stratum of the rows; empty for a model without strata.
	Stratum string `json:"stratum,omitempty"`
	// Times are the times of events, ascending. Hazard is the cumulative hazard from each of these
	// times on.
	Times  []float64 `json:"times"`
	Hazard []float64 `json:"hazard"`
}
