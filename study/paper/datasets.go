package paper

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"fsa/data"
)

// dataset is a real data set and its experiment.
type dataset struct {
	name    string
	folder  string // in the folder of the data sets
	printed string // its name in the paper; empty if the paper does not have it
	note    string
	load    func(ctx context.Context, folder string) (*splits, error)
	lines   []line
}

// splits are the parts of a data set; valid and test may be nil.
type splits struct{ train, valid, test source }

// line is a line of the table: a method, and the number of variables that it selects.
type line struct {
	contender
	k    int  // 0 means all
	both bool // trains on the validation rows too
}

// cell is the name of the line in the journal.
func (l *line) cell(d *dataset) string { return fmt.Sprintf("%s k=%d", d.name, l.k) }

// What a line records in addition to errors and time.
const (
	trainRows    = "rows"
	trainColumns = "columns"
	selected     = "selected"
	gaveUp       = "gave_up_after_s" // instead of the others
)

// both is the paper's name for methods trained on the validation rows too.
const both = "FSA (trained on train+valid)"

// datasets lists the data sets. Numbers of variables are those of the paper if it has some, and
// otherwise round numbers chosen beforehand.
func datasets() []dataset {
	lorenz := func(label string, k, bins int) line {
		return line{contender: contender{label: label, name: ours, loss: "lorenz", bins: bins}, k: k}
	}
	withValid := func(k int) line {
		l := lorenz(both, k, 0)
		l.both = true
		return l
	}
	other := func(label, name string, k int) line {
		return line{contender: contender{label: label, name: name}, k: k}
	}
	logistic := func(k int) line {
		return line{contender: contender{label: "FSA logistic", name: ours, loss: "logistic"}, k: k}
	}
	// Methods that use all variables come last.
	all := []line{other("SVM", "l2-svm", 0), other("LogReg-SGD", "sgd", 0), other("CW", "cw", 0)}
	// selecting returns the methods that select k variables.
	selecting := func(k int) []line {
		return []line{
			lorenz("FSA", k, 0), lorenz("FSA 2 bins", k, 2), lorenz("FSA 5 bins", k, 5), logistic(k),
			other("RFE", "rfe", k), other("L1", "l1", k), other("MCP", "mcp", k), other("mRMR", "mrmr", k), other("Parallel FS", "parallel-fs", k),
		}
	}
	return []dataset{
		{
			name: "Dexter", folder: "dexter", printed: "Dexter", load: loadDexter,
			note:  "the labels of the test rows are not public, so the validation rows are the test set.",
			lines: slices.Concat([]line{withValid(300), withValid(93)}, selecting(93), []line{other("SA", "sa", 0)}, all),
		},
		{
			name: "Gisette-like", folder: "digits49", printed: "Gisette", load: loadGisette,
			note: "a stand-in, made from the same digits in the way Gisette was; the published numbers are for Gisette itself.",
			lines: slices.Concat([]line{withValid(500), lorenz("FSA", 500, 0), lorenz("FSA 2 bins", 320, 2), lorenz("FSA 5 bins", 200, 5), logistic(500),
				other("RFE", "rfe", 700), other("MCP", "mcp", 1185), other("L1", "l1", 500), other("mRMR", "mrmr", 500),
				other("Parallel FS", "parallel-fs", 500), other("SA", "sa", 0)}, all),
		},
		{
			name: "URL excerpt", folder: "url_reputation", printed: "URL_Reputation", load: loadURL,
			note:  "a stand-in with 6758 rows; the published numbers are for 2 million rows and other k. Days 5 and 45, the last ones that are named, are the test set; all other rows are the training set, including those whose day is not known.",
			lines: append(selecting(1000), all...),
		},
		{
			name: "Reuters acquisitions", folder: "reuters_acq", load: loadReuters("acq_unigram.svm.gz"),
			note:  "not in the paper; single words; the first 7907 rows are the training set.",
			lines: append(selecting(200), all...),
		},
		{
			name: "Reuters acquisitions, word pairs", folder: "reuters_acq", load: loadReuters("acq_unibigram.svm.gz"),
			note:  "not in the paper; words and pairs of words; the first 7907 rows are the training set.",
			lines: append([]line{lorenz("FSA", 200, 0), logistic(200), other("L1", "l1", 200)}, all...),
		},
	}
}

func loadDexter(ctx context.Context, folder string) (*splits, error) {
	train, err := hold(ctx, filepath.Join(folder, "dexter_train.data.gz"))
	if err != nil {
		return nil, err
	}
	valid, err := hold(ctx, filepath.Join(folder, "dexter_valid.data.gz"))
	if err != nil {
		return nil, err
	}
	return &splits{train: train, valid: valid}, nil
}

func loadGisette(ctx context.Context, folder string) (*splits, error) {
	d, err := readDigits(ctx, folder)
	if err != nil {
		return nil, err
	}
	train, valid, test := makeStandIn(d)
	return &splits{train, valid, test}, nil
}

// reutersTrain is the number of training rows, which come first.
const reutersTrain = 7907

func loadReuters(file string) func(context.Context, string) (*splits, error) {
	return func(ctx context.Context, folder string) (*splits, error) {
		all, err := hold(ctx, filepath.Join(folder, file))
		if err != nil {
			return nil, err
		}
		if all.block.Rows <= reutersTrain {
			return nil, &data.Error{File: file, Msg: fmt.Sprintf("%d rows: more than %d are expected", all.block.Rows, reutersTrain)}
		}
		return &splits{
			train: all.pick(func(i int) bool { return i < reutersTrain }),
			test:  all.pick(func(i int) bool { return i >= reutersTrain }),
		}, nil
	}
}

// day finds the day in the name of the file of a row.
var day = regexp.MustCompile(`Day(\d+)`)

// firstTestDay is the first day of the test set.
const firstTestDay = 5

func loadURL(ctx context.Context, folder string) (*splits, error) {
	all, err := hold(ctx, filepath.Join(folder, "url_excerpt.svm.gz"))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "sources.txt")
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var test []bool
	for lines := bufio.NewScanner(f); lines.Scan(); {
		late := false
		if m := day.FindStringSubmatch(lines.Text()); m != nil {
			n, err := strconv.Atoi(m[1])
			late = err == nil && n >= firstTestDay
		}
		test = append(test, late)
	}
	if len(test) != all.block.Rows {
		return nil, &data.Error{File: path, Msg: fmt.Sprintf("%d lines for %d rows: one per row is needed", len(test), all.block.Rows)}
	}
	return &splits{
		train: all.pick(func(i int) bool { return !test[i] }),
		test:  all.pick(func(i int) bool { return test[i] }),
	}, nil
}
