// Package paper repeats the experiments of the paper, one file for each table or figure, and puts
// the published numbers beside the results.
//
// A table is a list of cells, each with some methods and some runs. A run makes its data from a
// seed, so all methods see the same rows, and every finished fit is recorded in a journal: if a
// long experiment is stopped, the next call continues there. A new experiment is a file and a line
// in the table of [Experiments].
package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"fsa/internal/fault"
)

// Experiment is a table or a figure of the paper.
type Experiment struct {
	Name  string
	About string // a description in one line
	Run   func(ctx context.Context, s *Setup) (*Result, error)
}

// Experiments lists the experiments in the order of the paper.
func Experiments() []Experiment {
	return []Experiment{
		{"schedule", "figure: variables kept against iteration, for six μ", schedule},
		{"cost", "table: passes over the data, for six μ", cost},
		{"losses", "figure: the three losses for classification", losses},
		{"beta-path", "figure: coefficients against iteration", betaPath},
		{"stability", "figure: AUC against η, μ and the number of iterations", stability},
		{"classification", "table: 13 methods on separable classes", classification.run},
		{"classification-noisy", "table: 13 methods on classes with wrong labels", classificationNoisy.run},
		{"big-data", "figure: FSA and LogitBoost on 100000 equally correlated variables", bigData.run},
		{"regression", "table: 9 methods on regression", regression.run},
		{"uci", "table: text, digits and web addresses", uci},
		{"keypoints", "figure: detectors of face keypoints; see --scale", keypoints},
		{"sizes", "not in the paper: how many variables validation finds, and how sure it is", sizes},
		{"fdr", "not in the paper: share of false variables and power at a false discovery rate, beside knockoffs", falseDiscoveries},
		{"confidence", "not in the paper: how many confidence intervals hold the coefficients of the selected variables", confidence},
		{"permuted", "not in the paper: how often variables are selected without a warning if the target is permuted", permutations},
		{"near", "not in the paper: whether all sets within a margin of the lowest training loss are found", near},
		{"price", "not in the paper: whether the interval of what a model loses against all columns holds it on fresh rows", price},
		{"pairs", "not in the paper: how many pairs of variables are found, and how many false ones", pairs},
		{"budgets", "not in the paper: selections within a budget beside the optimum by brute force, and their time", budgets},
		{"constraints", "not in the paper: whether fits of random tables keep signs, bounds and shapes, and their time", constraints},
		{"hopkins155", "table: motion segmentation by ranking", hopkins155},
	}
}

// Lookup returns the experiment of the given name.
func Lookup(name string) (e Experiment, known bool) {
	for _, e := range Experiments() {
		if e.Name == name {
			return e, true
		}
	}
	return Experiment{}, false
}

// Run runs an experiment and writes its results to the folder of the setup.
func Run(ctx context.Context, e Experiment, setup Setup) (*Result, error) {
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	s := setup.withDefaults()
	_, err := os.Stat(s.Out)
	made := errors.Is(err, fs.ErrNotExist)
	if err := fault.MkdirAll(s.Out); err != nil {
		return nil, err
	}
	start := time.Now()
	r, err := e.Run(ctx, s)
	if err != nil {
		if made {
			os.Remove(s.Out) // only if it is empty
		}
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	r.Name, r.About, r.Seconds = e.Name, e.About, time.Since(start).Seconds()
	return r, r.write(s.Out)
}
