package serve

import "fsa"

// hello is the first line of the service.
type hello struct {
	Hello    string `json:"hello"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
}

// request is a line of the client.
type request struct {
	ID int64 `json:"id"`
	// Op is fit; cancel, of what has this ID; exchanged, with what a fit has asked for; or parts, which
	// asks for those of a table of so many rows.
	Op string `json:"op"`

	Files   []file  `json:"files"`
	Table   table   `json:"table"`
	Options options `json:"options"`
	// Events says that every epoch is to be told.
	Events bool `json:"events"`
	// Lines is how many coefficients are followed through the epochs, those of the
	// model before others; 0 means none.
	Lines int `json:"lines"`
	// Stability is how many pairs of half samples selections are compared on.
	Stability int `json:"stability"`
	// Worker says that the table has the rows of one of several workers, which fit together.
	Worker *worker `json:"worker"`
	// Texts are what all workers have brought to an exchange, by rank.
	Texts []string `json:"texts"`
	// Workers is how many of them parts are wanted for.
	Workers int `json:"workers"`
}

// file is one that both processes map.
type file struct {
	Path string `json:"path"`
	// Own says that the client wrote it for this request: it may be overwritten.
	// Others must not change while they are used.
	Own bool `json:"own"`
}

// array says where numbers lie in a file.
type array struct {
	File   int    `json:"file"`
	Offset int64  `json:"offset"`
	Type   string `json:"type"` // f4, f8, i4 or i8, of the machine's byte order
	Length int    `json:"length"`
}

// table is what is to be learned from: an array of two dimensions, a sparse one, columns
// one by one, or a file in a format that the program reads.
type table struct {
	Rows    int      `json:"rows"`
	Columns int      `json:"columns"`
	Names   []string `json:"names"`

	Dense  *dense   `json:"dense"`
	Sparse *sparse  `json:"sparse"`
	Each   []column `json:"each"`
	Path   *path    `json:"path"`

	Target  *column `json:"target"`
	Weights *column `json:"weights"`
	Query   *column `json:"query"`
	// Group has the rows that stay in one fold, and Fold the fold of each row, if it is given.
	Group *column `json:"group"`
	Fold  *column `json:"fold"`
	// Use names columns that are variables although they look like identifiers.
	Use []string `json:"use"`
	// Memory is how many bytes learning may take; 0 means any number.
	Memory int64 `json:"memory"`
}

// tableName is what messages call a table that is no file of its own.
const tableName = "X"

// dense is an array of two dimensions.
type dense struct {
	array
	Fortran bool `json:"fortran"` // column after column, else row after row
}

// sparse is a matrix in compressed rows, or in compressed columns.
type sparse struct {
	Start   array `json:"start"`
	Index   array `json:"index"`
	Value   array `json:"value"`
	Columns bool  `json:"columns"`
}

// column is a vector of numbers, or of positions in a list of texts, negative where one
// is missing.
type column struct {
	array
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
	Kind   string   `json:"kind"` // of moments: see moments; empty for numbers
}

// path is a table in a file of its own format. Target, weights and query are columns of
// it or other files.
type path struct {
	Path        string   `json:"path"`
	Format      string   `json:"format"`
	Target      string   `json:"target"`
	Weights     string   `json:"weights"`
	Query       string   `json:"query"`
	Group       string   `json:"group"`
	Drop        []string `json:"drop"`
	Categorical []string `json:"categorical"`
}

// worker is where the service is among several that fit together.
type worker struct {
	Rank int `json:"rank"`
	Size int `json:"size"`
}

// opened says that all files are mapped: their names are not needed any more.
type opened struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
}

// exchange asks the client to give a text to all workers, and to answer with the texts of all of them.
type exchange struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	Text  string `json:"text"`
}

// parts says which rows each worker has to bring.
type parts struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	Parts []int  `json:"parts"` // where those of each begin, and the last ones end
}

// epoch tells of an epoch.
type epoch struct {
	ID        int64   `json:"id"`
	Event     string  `json:"event"`
	Epoch     int     `json:"epoch"`
	Of        int     `json:"of"`
	Variables int     `json:"variables"`
	Loss      float64 `json:"loss"`
	Eta       float64 `json:"eta"`
	Passes    float64 `json:"passes"`
	Done      float64 `json:"done"`
}

// done is the end of a fit.
type done struct {
	ID      int64  `json:"id"`
	Event   string `json:"event"`
	Model   string `json:"model"` // the bytes of model.json
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	// Reading is how long it took to make a dataset of the table, and Seconds the fit.
	Reading float64 `json:"reading"`
	Seconds float64 `json:"seconds"`
	// Names and Index are those of the variables of a file, and their positions there if
	// other columns stand between; the client knows those of arrays.
	Names     []string       `json:"names,omitempty"`
	Index     []int          `json:"index,omitempty"`
	Left      []left         `json:"left,omitempty"`
	Decisions []fsa.Decision `json:"decisions"`
	Trace     *trace         `json:"trace,omitempty"`
	Stability *stability     `json:"stability,omitempty"`
}

// left is a column that was not learned from.
type left struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// stability says how far selections on half samples agree.
type stability struct {
	Index   float64 `json:"index"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
	// Frequency is the share of half samples whose selection holds each column:
	// little-endian float64 numbers.
	Frequency []byte `json:"frequency"`
}

// failure says why there is no model.
type failure struct {
	ID      int64  `json:"id"`
	Event   string `json:"event"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
}
