package real

// Record is what was measured of one fit.
type Record struct {
	Family string `json:"family"`
	Set    string `json:"set"`
	Seed   uint64 `json:"seed"`
	K      int    `json:"k"`
	Method string `json:"method"`
	Task   string `json:"task"`
	// Rows and Cols are those of the table that was learned from.
	Rows int `json:"rows"`
	Cols int `json:"cols"`
	// Selected is the number of variables that are in the model.
	Selected int `json:"selected"`
	// Signal says that there is something to predict.
	Signal bool `json:"signal"`
	// Measures are those of held-out rows, by name; what cannot be measured is left out.
	Measures map[string]float64 `json:"measures"`

	logit, y []float64 // of held-out rows of two classes, for a slope over several fits
}

// The names of what is measured on held-out rows.
const (
	errorRate = "error"
	logLoss   = "logloss"
	auc       = "auc"
	r2        = "r2"
	ndcg      = "ndcg10"
	seconds   = "seconds"
	// slope is that of a logistic regression of the class on the predicted logit: below
	// 1 where predictions are overconfident.
	slope = "slope"
	// baseLoss is the log loss of the shares of the classes in the training rows, excess how
	// much the log loss is above it, and excessSE the standard error of that over rows. Of
	// numbers excess compares squared errors with those of the mean of the training rows.
	baseLoss = "base_logloss"
	excess   = "excess"
	excessSE = "excess_se"
)

// better is 1 where more of a measure is better, −1 where less is.
var better = map[string]float64{errorRate: -1, logLoss: -1, auc: 1, r2: 1, ndcg: 1}

// compared are the measures by which methods are compared, in the order of columns.
var compared = []string{errorRate, logLoss, auc, r2, ndcg}
