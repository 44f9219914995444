package report

// The files of a run folder, as docs/formats.md describes them. Each names the model that it
// belongs to by the checksum of its file: what was left by another run is passed over.

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

// Recorded are the files that a fit may write beside the model and its events. Those that it
// does not write are removed, so that nothing of an earlier run stays.
var Recorded = []string{RunName, PathName, DensitiesName, CorrelationName, ExamplesName}

// Header is what all these files begin with.
type Header struct {
	Model string `json:"model"` // sha256:…, of model.json
}

// RunRecord is run.json: what was run, on what, and what was decided.
type RunRecord struct {
	Header
	Command []string   `json:"command"` // what was typed, without the name of the program
	Version string     `json:"version"` // of the program
	System  string     `json:"system"`  // it was built for, such as linux/amd64
	Started string     `json:"started"` // RFC 3339
	Seconds Seconds    `json:"seconds"`
	Seed    uint64     `json:"seed"`
	Data    Source     `json:"data"`
	Plan    []Decision `json:"plan,omitempty"`
	Notes   []string   `json:"notes,omitempty"`
	// Title, Worth and Facts are those of an application that has words of its own for what it
	// does and for how good that is.
	Title string `json:"title,omitempty"`
	Worth string `json:"worth,omitempty"`
	Facts []Fact `json:"facts,omitempty"`
}

// Fact is a number that stands out on the page.
type Fact struct {
	Value string `json:"value"`
	Name  string `json:"name"`
}

// Seconds are what parts of a run took.
type Seconds struct {
	Read float64 `json:"read"`
	Fit  float64 `json:"fit"`
}

// Source is the table that was learned from.
type Source struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes,omitempty"`
	SHA256  string `json:"sha256,omitempty"` // of a file that is not very large
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"` // variables to select from
	Missing int64  `json:"missing"` // cells of these
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
	// Epochs are those that were kept. Alive variables and Loss are those after each.
	Epochs []int     `json:"epochs"`
	Alive  []int     `json:"alive"`
	Loss   []float64 `json:"loss"`
	// Measure says what the values of lines are: the coefficient of the scaled variable, or
	// the length of its coefficients where it has several.
	Measure string     `json:"measure"`
	Lines   []PathLine `json:"lines"`
}

// PathLine is the way of a variable through the epochs.
type PathLine struct {
	Name   string `json:"name"`
	Index  int    `json:"index"` // of its column
	Chosen bool   `json:"chosen"`
	Left   int    `json:"left,omitempty"` // epoch in which it was dropped; 0 for never
	// From is the number of the first of the epochs that has a value.
	From   int       `json:"from"`
	Values []float64 `json:"values"`
}

// Densities is densities.json: how the chosen variables are distributed.
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
	// Quantiles are those of the shares 0, 1/40, …, 1.
	Quantiles []float64 `json:"quantiles,omitempty"`
	// Levels are the texts of a category, or the two values of a column that has no others.
	Levels []Level `json:"categories,omitempty"`
}

// Level is a text and how often it is there.
type Level struct {
	Text string `json:"text"`
	Rows int    `json:"rows"`
}

// Correlation is correlation.json: among the chosen variables and those that left last.
type Correlation struct {
	Header
	Names  []string    `json:"names"`
	Chosen int         `json:"chosen"` // the first so many
	Rows   int         `json:"rows"`   // it was measured on
	Values [][]float64 `json:"values"`
}

// Examples is examples.json: what each variable adds to the predictions of a few rows.
type Examples struct {
	Header
	Names     []string  `json:"names"`
	Intercept []float64 `json:"intercept"`
	Rows      []Example `json:"rows"`
}

// Example is a row. Of a model with several decision values it has those of the class named.
type Example struct {
	Row      int       `json:"row"` // from 1
	Why      string    `json:"why"`
	Target   string    `json:"target"`
	Output   int       `json:"output"`
	Class    string    `json:"class,omitempty"`
	Decision float64   `json:"decision"`
	Says     string    `json:"says"` // the prediction in words
	Values   []string  `json:"values"`
	Adds     []float64 `json:"adds"`
}
