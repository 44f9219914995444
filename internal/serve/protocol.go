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
	// Op is fit; predict; export; report; cancel, which cancels the request with this ID; or listen, which
	// opens a port for a worker.
	Op string `json:"op"`

	Files   []file  `json:"files"`
	Table   table   `json:"table"`
	Options options `json:"options"`
	// Events requests messages about every epoch and about the stages of the fit.
	Events bool `json:"events"`
	// Lines is the number of coefficients that are recorded in every epoch, those of the model
	// first; 0 means none.
	Lines int `json:"lines"`
	// Stability is the number of pairs of half samples on which the selection is repeated.
	Stability int `json:"stability"`
	// Run asks a fit for a run folder.
	Run *running `json:"run"`
	// Worker says that the table has the rows of one of several workers, which fit together.
	Worker *worker `json:"worker"`
	// Host is the address of this machine at which listen opens a port; empty for all.
	Host string `json:"host"`
	// Model holds the bytes of a model.json, to be exported as Export says, to predict the table as
	// Predict says, or for the report that Report describes.
	Model   string     `json:"model"`
	Export  exporting  `json:"export"`
	Predict predicting `json:"predict"`
	Report  reporting  `json:"report"`
}

// file is a file that both processes map, or memory of a GPU.
type file struct {
	Path string `json:"path"`
	// Own says that the client wrote the file for this request: it may be overwritten. Other files
	// must not change while they are used.
	Own bool `json:"own"`
	// CUDA is memory that the client has on a GPU, instead of a file.
	CUDA *onGPU `json:"cuda"`
}

// onGPU says where the client has numbers on a GPU. They must not change while they are used.
type onGPU struct {
	Device []byte `json:"device"` // UUID of the GPU
	Handle []byte `json:"handle"` // of the allocation, from cuIpcGetMemHandle
	Offset int64  `json:"offset"` // bytes from the beginning of the allocation
	Bytes  int64  `json:"bytes"`
}

// array describes an array of numbers in a file.
type array struct {
	File   int    `json:"file"`
	Offset int64  `json:"offset"`
	Type   string `json:"type"` // f4, f8, i4 or i8, in the machine's byte order
	Length int    `json:"length"`
}

// table is the table to train on: a two-dimensional array, a sparse one, separate columns, or a
// file in a format that the program reads.
type table struct {
	Rows    int      `json:"rows"`
	Columns int      `json:"columns"`
	Names   []string `json:"names"`

	Dense  *dense   `json:"dense"`
	Sparse *sparse  `json:"sparse"`
	Each   []column `json:"each"`
	Path   *path    `json:"path"`

	Target *column `json:"target"`
	// Targets are several targets, with names; Target is then left out.
	Targets []column `json:"targets"`
	Weights *column  `json:"weights"`
	Query   *column  `json:"query"`
	// Group gives the group of each row, which stays in one fold, and Fold the fold of each row, if
	// it is given.
	Group *column `json:"group"`
	Fold  *column `json:"fold"`
	// Offset is added to decision values; Exposure is added as its logarithms. A table has at most
	// one of them.
	Offset   *column `json:"offset"`
	Exposure *column `json:"exposure"`
	// Event says which rows had the event at the time given by the target. Stratum has the stratum
	// of each row: only rows of the same stratum are compared. Entry has the time from which on each
	// row was observed.
	Event   *column `json:"event"`
	Stratum *column `json:"stratum"`
	Entry   *column `json:"entry"`
	// Use names columns that are variables even if they look like identifiers.
	Use []string `json:"use"`
	// Memory is the number of bytes that the fit may take; 0 means no limit.
	Memory int64 `json:"memory"`
	// Sums says that the rows merely have the same means and covariances as the rows to train on.
	Sums *sums `json:"sums"`
}

// sums holds properties of the original rows that rows with the same means and covariances do not
// show.
type sums struct {
	Rows int `json:"rows"`
	// Low and High are the smallest and the largest number of each column.
	Low  array `json:"low"`
	High array `json:"high"`
}

// tableName is the name in messages of a table that is not a file.
const tableName = "X"

// dense is a two-dimensional array.
type dense struct {
	array
	Fortran bool `json:"fortran"` // column after column, otherwise row after row
}

// sparse is a matrix in compressed rows, or in compressed columns.
type sparse struct {
	Start   array `json:"start"`
	Index   array `json:"index"`
	Value   array `json:"value"`
	Columns bool  `json:"columns"`
}

// column is a vector of numbers, or of positions in a list of texts, negative for missing ones.
type column struct {
	array
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
	Kind   string   `json:"kind"` // type of dates and times: see moments; empty for numbers
}

// path is a table in a file of its own format. Target, weights, query, group, offset, exposure, event,
// stratum and entry are columns of it or other files.
type path struct {
	Path        string   `json:"path"`
	SQL         string   `json:"sql"` // query over the tables of a database
	Format      string   `json:"format"`
	Target      string   `json:"target"`
	Weights     string   `json:"weights"`
	Query       string   `json:"query"`
	Group       string   `json:"group"`
	Offset      string   `json:"offset"`
	Exposure    string   `json:"exposure"`
	Event       string   `json:"event"`
	Stratum     string   `json:"stratum"`
	Entry       string   `json:"entry"`
	Drop        []string `json:"drop"`
	Categorical []string `json:"categorical"`
	// Order is the column with the numbers of the rows of a worker, by which the rows of all workers
	// are ordered: partition·2³³ + position.
	Order string `json:"order"`
}

// worker is the place of the service among several that fit together.
type worker struct {
	Rank int `json:"rank"`
	Size int `json:"size"`
	// At has the addresses of all workers, by rank; Port is that of this one, which listen has opened.
	At   []string `json:"at"`
	Port int      `json:"port"`
	// Token is a secret that all workers know.
	Token string `json:"token"`
}

// predicting says where predictions are written: to arrays of type f8 in files that the client
// created for the request. Arrays that are left out are not computed.
type predicting struct {
	// Decision has room for the decision values, row after row, Probability for the probability of
	// the second of two classes or of each class, and Class for the number of the predicted class.
	Decision    *array `json:"decision"`
	Probability *array `json:"probability"`
	Class       *array `json:"class"`
	// Contributions has room for the contribution of each variable to each decision value, row
	// after row and variable after variable.
	Contributions *array `json:"contributions"`
	// Low and High have room for the ends of intervals with this coverage.
	Low      *array  `json:"low"`
	High     *array  `json:"high"`
	Coverage float64 `json:"coverage"`
}

// opened says that all files are mapped: their names are no longer needed.
type opened struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
}

// listening is the port at which a worker can be reached.
type listening struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	Port  int    `json:"port"`
}

// staged is the current stage of a fit, and the share of all work that is done.
type staged struct {
	ID    int64   `json:"id"`
	Event string  `json:"event"`
	Stage string  `json:"stage"`
	Step  int     `json:"step"`
	Steps int     `json:"steps"`
	Done  float64 `json:"done"`
}

// epoch reports an epoch.
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

// done is the result of a fit.
type done struct {
	ID      int64  `json:"id"`
	Event   string `json:"event"`
	Model   string `json:"model"` // the bytes of model.json
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	// Reading is the time to create a dataset from the table, and Seconds the time of the fit.
	Reading float64 `json:"reading"`
	Seconds float64 `json:"seconds"`
	// Names and Index are the names of the variables of a file, and their positions if there are
	// other columns between them; the client knows those of arrays.
	Names     []string       `json:"names,omitempty"`
	Index     []int          `json:"index,omitempty"`
	Left      []left         `json:"left,omitempty"`
	Decisions []fsa.Decision `json:"decisions"`
	Trace     *trace         `json:"trace,omitempty"`
	Stability *stability     `json:"stability,omitempty"`
	// OutOfFold holds the losses that were asked for.
	OutOfFold *outOfFold `json:"out_of_fold,omitempty"`
}

// outOfFold holds the out-of-fold loss of each row that has one, and the fold of every row, −1 for none.
type outOfFold struct {
	Fold   []int     `json:"fold"`
	Row    []int     `json:"row"`
	Losses []float64 `json:"losses"`
}

// predicted is the result of a prediction.
type predicted struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	// Unseen is the number of rows, by column, whose text was not in training.
	Unseen map[string]int `json:"unseen,omitempty"`
}

// left is a column that was left out.
type left struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// stability is the agreement of selections on half samples.
type stability struct {
	Index   float64 `json:"index"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
	// Frequency is the share of half samples whose selection contains each column: little-endian
	// float64 numbers.
	Frequency []byte `json:"frequency"`
}

// failure is the reason why there is no model.
type failure struct {
	ID      int64  `json:"id"`
	Event   string `json:"event"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
}
