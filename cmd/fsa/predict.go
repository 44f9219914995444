package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/atomicfile"
)

func predictCommand() *cobra.Command {
	var (
		in     input
		out    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Predict the rows of a table, and measure how well",
		Long: `predict reads a table in any format and writes one prediction a row, as CSV.
MODEL is a run folder or the model.json in it. Columns are found by name; others
are not looked at. With a target, the prediction is measured too.`,
		Example: `  fsa predict run test.csv > predictions.csv
  fsa predict run test.csv --target price --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(); err != nil {
				return err
			}
			return predict(cmd, modelPath(args[0]), args[1], in, out, asJSON)
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "`file` for the predictions, instead of standard output")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object on standard output")
	return cmd
}

// predict does the work of the predict command.
func predict(cmd *cobra.Command, modelFile, path string, in input, out string, asJSON bool) error {
	model, err := fsa.LoadModel(modelFile)
	if err != nil {
		return err
	}
	for _, v := range model.Selected() {
		if v.Levels != nil {
			in.Categorical = append(in.Categorical, v.Name)
		}
	}
	p, target, err := score(cmd.Context(), model, path, in)
	if err != nil {
		return err
	}
	var metrics map[string]float64
	if target != nil && target.Y != nil {
		if metrics, err = p.Metrics(target); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	switch {
	case out != "":
		err = atomicfile.WriteFile(out, func(w io.Writer) error { return writePredictions(w, model, p) })
	case !asJSON:
		w := bufio.NewWriter(cmd.OutOrStdout())
		err = errors.Join(writePredictions(w, model, p), w.Flush())
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), newPredicted(p, metrics, out))
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s %.6g\n", name, metrics[name])
	}
	return nil
}

// score predicts a table. The target is the one that was asked for, or one
// that the table offers.
func score(ctx context.Context, m *fsa.Model, path string, in input) (*fsa.Prediction, *data.Target, error) {
	r, err := open.Reader(path, in.Options)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	roles, err := in.Roles.Resolve(path, r.Schema())
	if err != nil {
		return nil, nil, err
	}
	if name := m.Training().Target; roles.Target == "" && roles.TargetVector == nil && slices.Contains(r.Schema().Names, name) {
		roles.Target = name
	}
	return scoreReader(ctx, m, r, path, roles)
}

// scoreReader predicts rows block by block and gathers their target.
func scoreReader(ctx context.Context, m *fsa.Model, r data.Reader, name string, roles data.Roles) (*fsa.Prediction, *data.Target, error) {
	scorer, err := m.Scorer(r.Schema())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	targets := data.NewCollector(name, r.Schema(), roles)
	var decision []float64
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if err := targets.Add(b); err != nil {
			return nil, nil, err
		}
		z, err := scorer.Score(b)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		decision = append(decision, z...)
	}
	t, err := targets.Target()
	return m.Prediction(decision), t, err
}

// predicted is what predict prints as JSON. The predictions themselves are in
// it unless they went to a file.
type predicted struct {
	Rows        int                `json:"rows"`
	Metrics     map[string]float64 `json:"metrics,omitempty"`
	Decision    []float64          `json:"decision,omitempty"`
	Probability []float64          `json:"probability,omitempty"`
	Class       []string           `json:"class,omitempty"`
	Out         string             `json:"out,omitempty"`
}

func newPredicted(p *fsa.Prediction, metrics map[string]float64, out string) predicted {
	if out != "" {
		return predicted{Rows: p.Rows(), Metrics: metrics, Out: out}
	}
	return predicted{Rows: p.Rows(), Metrics: metrics, Decision: p.Decision, Probability: p.Probability(), Class: p.Class()}
}

// writePredictions writes a row for each prediction: class, decision value and
// probability of a classification, with several classes one probability each;
// the predicted number of a regression; the score of a ranking.
func writePredictions(w io.Writer, m *fsa.Model, p *fsa.Prediction) error {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	table := csv.NewWriter(w)
	class, prob, outputs := p.Class(), p.Probability(), m.Outputs()
	head := []string{map[fsa.Task]string{fsa.Regression: "prediction", fsa.Ranking: "score", fsa.Classification: "decision"}[m.Task()]}
	if outputs > 1 {
		head = nil
		for c := range outputs {
			name := strconv.Itoa(c)
			if class != nil {
				name = m.Classes()[c]
			}
			head = append(head, "probability_"+name)
		}
		if prob == nil {
			prob = p.Decision
		}
	} else if prob != nil {
		head = append(head, "probability")
	}
	if class != nil {
		head = append([]string{"class"}, head...)
	}
	table.Write(head)
	for i := range p.Rows() {
		var row []string
		if class != nil {
			row = append(row, class[i])
		}
		if outputs == 1 {
			row = append(row, number(p.Decision[i]))
		}
		if prob != nil {
			for _, v := range prob[i*outputs : (i+1)*outputs] {
				row = append(row, number(v))
			}
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}
