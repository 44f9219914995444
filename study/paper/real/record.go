package real

// Record has the measurements of one fit.
type Record struct {
	Family string `json:"family"`
	Set    string `json:"set"`
	Seed   uint64 `json:"seed"`
	// K is the requested number of variables; 0 means that the size was open.
	K      int    `json:"k"`
	Method string `json:"method"`
	Task   string `json:"task"`
	// Rows and Cols are those of the training table.
	Rows int `json:"rows"`
	Cols int `json:"cols"`
	// Selected is the number of selected variables.
	Selected int `json:"selected"`
	// Signal says that the target can be predicted.
	Signal bool `json:"signal"`
	// Measures are the metrics on held-out rows, by name; undefined ones are left out.
	Measures map[string]float64 `json:"measures"`

	logit, y []float64 // of held-out rows of two classes, for a slope over several fits
	// rows holds, by measure, the loss of each held-out row: the mean is an error, a log loss, or 1
	// − R². It is stored if the size is open.
	rows map[string][]float64
}

// The names of the metrics on held-out rows.
const (
	errorRate = "error"
	logLoss   = "logloss"
	auc       = "auc"
	r2        = "r2"
	ndcg      = "ndcg10"
	seconds   = "seconds"
	// slope is the calibration slope: the coefficient in a logistic regression of the class on the
	// predicted logit. It is below 1 if predictions are overconfident.
	slope = "slope"
	// baseLoss is the log loss of the class proportions of the training rows, excess the difference
	// of the log loss from it, and excessSE the standard error of that over rows. For numbers,
	// excess compares squared errors with those of the mean of the training rows.
	baseLoss = "base_logloss"
	excess   = "excess"
	excessSE = "excess_se"
)

// better is 1 if larger values are better, −1 if smaller values are.
var better = map[string]float64{errorRate: -1, logLoss: -1, auc: 1, r2: 1, ndcg: 1}

// compared are the metrics by which methods are compared, in the order of columns.
var compared = []string{errorRate, logLoss, auc, r2, ndcg}
