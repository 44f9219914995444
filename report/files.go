package report

// The files of a run folder, as described in docs/formats.md. Each identifies its model by the
// checksum of the model file; files of another run are ignored.

// Names of the files of a run folder.
const (
	RunName         = "run.json"
	PathName        = "path.json"
	DensitiesName   = "densities.json"
	CorrelationName = "correlation.json"
	ExamplesName    = "examples.json"
	CurveName       = "curve.json"
	StabilityName   = "stability.json"
	RowsName        = "rows.csv"
)

// Recorded are the files that a fit may write beside the model and its events. Those that it does
// not write are removed, so that no file of an earlier run remains.
var Recorded = []string{RunName, PathName, DensitiesName, CorrelationName, ExamplesName}

// Header is the beginning of all these files.
type Header struct {
	Model string `json:"model"` // checksum of model.json, sha256:…
}

// RunRecord is run.json: the command, the data, and the decisions.
type RunRecord struct {
	Header
	Command []string   `json:"command,omitempty"` // the command line without the name of the program
	Call    string     `json:"call,omitempty"`    // the call of another language instead
	Version string     `json:"version"`           // version of the program
	System  string     `json:"system"`            // system it was built for, such as linux/amd64
	Started string     `json:"started"`           // RFC 3339
	Seconds Seconds    `json:"seconds"`
	Seed    uint64     `json:"seed"`
	Data    Source     `json:"data"`
	Plan    []Decision `json:"plan,omitempty"`
	Notes   []string   `json:"notes,omitempty"`
	// Title, Worth and Facts replace the usual texts in applications with their own words.
	Title string `json:"title,omitempty"`
	Worth string `json:"worth,omitempty"`
	Facts []Fact `json:"facts,omitempty"`
}

// Fact is a number that is highlighted on the page.
type Fact struct {
	Value string `json:"value"`
	Name  string `json:"name"`
}

// Seconds are the durations of the parts of a run.
type Seconds struct {
	Read float64 `json:"read"`
	Fit  float64 `json:"fit"`
}

// Source is the training table.
type Source struct {
	File    string `json:"file"`
	SQL     string `json:"sql,omitempty"` // query over the tables of the file
	Bytes   int64  `json:"bytes,omitempty"`
	SHA256  string `json:"sha256,omitempty"` // checksum of the file, unless it is very large
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"` // variables to select from
	Missing int64  `json:"missing"` // missing cells of these
}

// Decision is a setting, its value and the reason for it.
type Decision struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	Why     string `json:"why"`
}

// Path is path.json: the descent, thinned so that its size does not depend on the table.
type Path struct {
	Header
	// Epochs are the recorded epochs. Alive is the number of active variables, and Loss the loss,
	// after each of them.
	Epochs []int     `json:"epochs"`
	Alive  []int     `json:"alive"`
	Loss   []float64 `json:"loss"`
	// Measure describes the values of lines: the coefficient of the scaled variable, or the norm of
	// its coefficients if it has several.
	Measure string     `json:"measure"`
	Lines   []PathLine `json:"lines"`
}

// PathLine is the path of a variable through the epochs.
type PathLine struct {
	Name   string `json:"name"`
	Index  int    `json:"index"` // of its column
	Chosen bool   `json:"chosen"`
	Left   int    `json:"left,omitempty"` // epoch in which it was dropped; 0 if it was not
	// From is the index of the first epoch that has a value.
	From   int       `json:"from"`
	Values []float64 `json:"values"`
}

// Densities is densities.json: the distributions of the selected variables.
type Densities struct {
	Header
	Variables []Density `json:"variables"`
}

// Density is the histogram of a number, or the counts of texts.
type Density struct {
	Name    string    `json:"name"`
	Index   int       `json:"index"`
	Rows    int       `json:"rows"`
	Missing int       `json:"missing"`
	Mean    float64   `json:"mean"`
	SD      float64   `json:"sd"`
	Edges   []float64 `json:"edges,omitempty"`
	Counts  []int     `json:"counts,omitempty"`
	// Quantiles at the shares 0, 1/40, …, 1.
	Quantiles []float64 `json:"quantiles,omitempty"`
	// Levels are the texts of a category, or the values of a column with only two.
	Levels []Level `json:"categories,omitempty"`
}

// Level is a text and its frequency.
type Level struct {
	Text string `json:"text"`
	Rows int    `json:"rows"`
}

// Correlation is correlation.json: correlations between the selected variables and those dropped
// last.
type Correlation struct {
	Header
	Names  []string    `json:"names"`
	Chosen int         `json:"chosen"` // number of selected variables, which come first
	Rows   int         `json:"rows"`   // number of rows used
	Values [][]float64 `json:"values"`
}

// Examples is examples.json: the contribution of each variable to the predictions of a few rows.
type Examples struct {
	Header
	Names     []string  `json:"names"`
	Intercept []float64 `json:"intercept"`
	Rows      []Example `json:"rows"`
}

// Example is a row. If a model has several decision values, these are the contributions to the
// named class.
type Example struct {
	Row      int       `json:"row"` // counted from 1
	Why      string    `json:"why"`
	Target   string    `json:"target"`
	Output   int       `json:"output"`
	Class    string    `json:"class,omitempty"`
	Decision float64   `json:"decision"`
	Says     string    `json:"says"` // the prediction as text
	Values   []string  `json:"values"`
	Adds     []float64 `json:"adds"`
}
