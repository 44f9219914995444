package motion

// Published is a row of the published table: the mean error of a method on each group of [Groups],
// in percent, −1 if there is none.
type Published struct {
	Method      string
	Test, Train []float64 // Train is nil for methods without training
}

// none stands for a number that was not published.
const none = -1

// PublishedTable returns the mean errors that the paper reports, under the names of our methods.
func PublishedTable() []Published {
	return []Published{
		{Method: RV, Test: []float64{none, none, none, 0.44, none, none, none, 1.88, 0.77}},
		{Method: SC, Test: []float64{0.85, 0.90, 1.71, 0.94, 2.15, 1.35, 4.26, 2.11, 1.20}},
		{Method: SSC, Test: []float64{1.12, 0.02, 0.62, 0.82, 2.97, 0.58, 1.42, 2.45, 1.24}},
		{Method: VC, Test: []float64{0.67, 0.99, 2.94, 0.96, 0.74, 1.13, 5.65, 1.10, 0.99}},
		{Method: RankBoost,
			Test:  []float64{0.74, 0.72, 2.26, 0.87, 2.60, 4.24, 18.09, 3.82, 1.54},
			Train: []float64{0.67, 0.69, 2.05, 0.80, 0.85, 4.15, 3.66, 1.67, 1.00}},
		{Method: FSARankLikelihood,
			Test:  []float64{0.69, 0.76, 2.27, 0.85, 0.74, 1.13, 5.32, 1.08, 0.90},
			Train: []float64{0.58, 0.80, 2.30, 0.80, 0.74, 1.13, 5.32, 1.08, 0.86}},
		{Method: FSARankPrior,
			Test:  []float64{1.28, 4.25, 1.32, 2.05, 4.22, 4.05, 3.19, 4.13, 2.52},
			Train: []float64{1.09, 4.25, 1.32, 1.93, 4.10, 4.05, 3.19, 4.04, 2.40}},
		{Method: FSARank,
			Test:  []float64{0.12, 0.58, 1.32, 0.35, 0.49, 1.07, 3.19, 0.76, 0.44},
			Train: []float64{0.12, 0.59, 1.32, 0.35, 0.49, 1.73, 3.19, 0.90, 0.47}},
	}
}

// publishedOf returns the published row of a method, or nil.
func publishedOf(method string) *Published {
	for _, p := range PublishedTable() {
		if p.Method == method {
			return &p
		}
	}
	return nil
}
