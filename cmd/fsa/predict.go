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

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/model"
)

func predictCommand() *cobra.Command {
	var (
		in  input
		out string
		o   predictOutput
	)
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA…",
		Short: "Predict the rows of a table, and measure how well",
		Long: `predict reads a table in any format and writes one prediction a row, as CSV.
MODEL is a run folder or the model.json in it. Columns are found by name; others
are not looked at. With a target, the prediction is measured too.`,
		Example: `  fsa predict run test.csv > predictions.csv
  fsa predict run test.csv --target price --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(&in.Options); err != nil {
				return err
			}
			path, err := in.files(cmd.Context(), args[1:])
			if err != nil {
				return err
			}
			return predict(cmd, modelPath(args[0]), path, in, out, o)
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "`file` for the predictions, instead of standard output: .csv, and .gz or .zst behind it")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object on standard output")
	cmd.Flags().Float64Var(&o.coverage, "interval", 0, "also write what holds the response with this `probability`, such as 0.9: an interval, or a set of classes")
	cmd.Flags().BoolVar(&o.plus, "cv-plus", false, "make the intervals of numbers by the models of the folds, too (CV+): they hold whatever the data are, and need the columns that any fold has chosen")
	cmd.Flags().StringSliceVar(&o.keep, "keep", nil, "columns to copy into the predictions, such as an identifier")
	cmd.Flags().BoolVar(&o.contributions, "contributions", false, "also write what each variable adds to the decision value of each row")
	return cmd
}

// predictOutput says what predictions are written as.
type predictOutput struct {
	json, contributions bool
	coverage            float64      // of intervals or sets; 0 for none
	plus                bool         // intervals are those of CV+,
	folds               *model.Folds // by these models
	keep                []string     // columns to copy
}

// predict does the work of the predict command.
func predict(cmd *cobra.Command, modelFile, path string, in input, out string, o predictOutput) error {
	m, sum, err := loadModel(cmd.Context(), modelFile)
	if errors.Is(err, model.ErrModelFile) && isModel(cmd.Context(), modelPath(path)) {
		return usagef("%s is no model, but %s is: the model comes first", modelFile, path)
	}
	if err != nil {
		return err
	}
	for _, v := range m.Selected() {
		if slices.Contains(in.Drop, v.Name) {
			return usagef("--drop %s: the model needs this column", v.Name)
		}
	}
	in.Skip = in.Drop
	in.lookAt(m, o.keep)
	if o.plus {
		if !cmd.Flags().Changed("interval") {
			return usagef("--cv-plus is for intervals: say how likely they have to hold, such as --interval 0.9")
		}
		if o.folds, err = loadFolds(cmd.Context(), modelFile, sum, m); err != nil {
			return err
		}
		in.lookAtFolds(o.folds)
	}
	var file *open.File
	if out != "" {
		if sameFile(out, path) || sameFile(out, modelFile) {
			return usagef("--out %s: this is the file that is read: name another", out)
		}
		if file, err = open.CreateCSV(out); err != nil { // fails before the work, if it must
			return err
		}
		defer file.Abort()
	}
	p, err := score(cmd.Context(), m, path, in, o)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.unseen)) {
		newProgress(cmd.ErrOrStderr()).note("column %s: in %d of %d rows the text was not seen in training or is missing; it counts as a rare one, or adds nothing", name, p.unseen[name], p.Rows())
	}
	if cmd.Flags().Changed("interval") {
		if p.ranges, err = p.newRanges(m, o); err != nil {
			return err
		}
	}
	metrics, err := p.metrics()
	if err != nil && (in.Target != "" || in.Weights != "" || in.Query != "") {
		return err
	}
	if err != nil {
		// Nobody asked for it, so it must not cost the predictions.
		fmt.Fprintf(cmd.ErrOrStderr(), "fsa: the prediction is not measured: %v\n", err)
	}
	switch {
	case file != nil:
		if err = writePredictions(file, m, p); err == nil {
			err = file.Commit()
		}
	case !o.json:
		w := bufio.NewWriter(cmd.OutOrStdout())
		err = errors.Join(writePredictions(w, m, p), w.Flush())
	}
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(cmd.OutOrStdout(), newPredicted(m, p, metrics, out))
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", name, precise(metrics[name]))
	}
	return nil
}

// lookAt makes reading look at the columns that a model uses, which are read as those were
// that it has learned from, and at those that have a role.
func (in *input) lookAt(m *model.Model, keep []string) {
	in.Kinds = m.Kinds()
	for _, name := range keep {
		if _, used := in.Kinds[name]; !used {
			in.Kinds[name] = kind.Column{Kind: kind.Category} // as it stands there
		}
	}
	tr := m.Training()
	in.Only = slices.AppendSeq([]string{in.Target, in.Weights, in.Query, tr.Target, tr.Weights, tr.Query}, maps.Keys(in.Kinds))
	in.Only = slices.DeleteFunc(in.Only, func(name string) bool { return name == "" })
}

// scored is a prediction and the target of its rows.
type scored struct {
	*model.Prediction
	target *data.Target   // nil if there is none
	from   string         // the file that has the target
	bad    error          // why the target cannot be used
	unseen map[string]int // rows with a text that was not learned, by column
	ranges *ranges        // intervals or sets; nil unless asked for
	kept   *kept          // columns of the table
	folds  [][]float64    // decision values of the models of folds, for CV+
	adds   []float64      // what variables add, as [model.Scorer.Contributions]; nil unless asked for
}

// metrics measures the prediction, if there is a target.
func (s *scored) metrics() (map[string]float64, error) {
	if s.bad != nil || s.target == nil || s.target.Y == nil {
		return nil, s.bad
	}
	m, err := s.Metrics(s.target)
	if err == nil && s.ranges != nil {
		s.ranges.measure(m, s.target)
	}
	return m, inFile(err, s.from)
}

// score predicts a table. Target, weights and queries are those that were asked
// for, or those that the model was learned with if the table has them.
func score(ctx context.Context, m *model.Model, path string, in input, o predictOutput) (*scored, error) {
	r, err := open.Reader(ctx, path, in.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if in.IndexBase == "" && m.Training().IndexBase == "0" && r.Schema().IndexBase != "" {
		return nil, usagef("the model learned from indices that count from 0: give --index-base 0 if those of %s do, too, else 1", path)
	}
	roles, err := in.Roles.Resolve(ctx, path, r)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		role   *string
		vector *data.Vector
		name   string
	}{
		{&roles.Target, roles.TargetVector, m.Training().Target},
		{&roles.Weight, roles.WeightVector, m.Training().Weights},
		{&roles.Query, roles.QueryVector, m.Training().Query},
	} {
		if *c.role == "" && c.vector == nil && slices.Contains(r.Schema().Names, c.name) && !slices.Contains(in.Drop, c.name) {
			*c.role = c.name
		}
	}
	return scoreReader(ctx, m, r, path, roles, o)
}

// scoreReader predicts rows block by block and gathers their target.
func scoreReader(ctx context.Context, m *model.Model, r data.Reader, name string, roles data.Roles, o predictOutput) (*scored, error) {
	scorer, err := m.Scorer(r.Schema())
	if err != nil {
		return nil, inFile(err, name)
	}
	var folds []*model.Scorer
	if o.folds != nil {
		for _, m := range o.folds.Models() {
			s, err := m.Scorer(r.Schema())
			if err != nil {
				return nil, fmt.Errorf("--cv-plus needs the columns that any fold has chosen: %w", inFile(err, name))
			}
			folds = append(folds, s)
		}
	}
	copied, err := newKept(r.Schema(), name, o.keep)
	if err != nil {
		return nil, err
	}
	contributions := o.contributions
	targets := data.NewCollector(name, r.Schema(), roles)
	out := &scored{from: name, folds: make([][]float64, len(folds))}
	if v := roles.TargetVector; v != nil {
		out.from = v.Name
	}
	if contributions {
		out.adds = []float64{}
	}
	var decision []float64
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if out.bad == nil {
			out.bad = targets.Add(b)
		}
		z, err := scorer.Score(b)
		if err != nil {
			return nil, inFile(err, name)
		}
		decision = append(decision, z...)
		for i, s := range folds {
			z, err := s.Score(b)
			if err != nil {
				return nil, inFile(err, name)
			}
			out.folds[i] = append(out.folds[i], z...)
		}
		copied.add(b)
		if !contributions {
			continue
		}
		adds, err := scorer.Contributions(b)
		if err != nil {
			return nil, inFile(err, name)
		}
		out.adds = append(out.adds, adds...)
	}
	if out.bad == nil {
		out.target, out.bad = targets.Target()
	}
	out.Prediction, out.unseen, out.kept = m.Prediction(decision), scorer.Unseen(), copied
	return out, nil
}

// predicted is what predict prints as JSON. The predictions themselves are in
// it unless they went to a file.
type predicted struct {
	Rows        int                `json:"rows"`
	Metrics     map[string]float64 `json:"metrics,omitempty"`
	Decision    []float64          `json:"decision,omitempty"`
	Probability []float64          `json:"probability,omitempty"`
	Class       []string           `json:"class,omitempty"`
	Low         []float64          `json:"low,omitempty"`
	High        []float64          `json:"high,omitempty"`
	Sets        [][]string         `json:"sets,omitempty"`
	// Kept are the columns that were to be copied, by their names.
	Kept map[string][]string `json:"kept,omitempty"`
	// Contributions are there if they were asked for.
	Contributions *contributions `json:"contributions,omitempty"`
	Out           string         `json:"out,omitempty"`
}

// contributions say what is added up to the decision values.
type contributions struct {
	Variables []string  `json:"variables"`
	Intercept []float64 `json:"intercept"`
	Adds      []float64 `json:"adds"`
}

func newPredicted(m *model.Model, p *scored, metrics map[string]float64, out string) predicted {
	if out != "" {
		return predicted{Rows: p.Rows(), Metrics: metrics, Out: out}
	}
	all := predicted{Rows: p.Rows(), Metrics: metrics, Decision: p.Decision, Probability: p.Probability(), Class: p.Class(), Kept: p.kept.byName()}
	if p.ranges != nil {
		all.Low, all.High, all.Sets = p.ranges.low, p.ranges.high, p.ranges.sets
	}
	if p.adds != nil {
		all.Contributions = &contributions{Intercept: m.Additive().Intercept, Adds: p.adds}
		for _, v := range m.Selected() {
			all.Contributions.Variables = append(all.Contributions.Variables, v.FullName())
		}
	}
	return all
}

// writePredictions writes a row for each prediction, and behind its cells what variables
// add, if that was asked for.
func writePredictions(w io.Writer, m *model.Model, p *scored) error {
	table, cells := csv.NewWriter(w), newPredictionCells(p.Prediction)
	head := slices.Concat(p.kept.names, cells.head, p.ranges.head())
	var intercept []string
	if p.adds != nil {
		head = append(head, contributionNames(m)...)
		for _, v := range m.Additive().Intercept {
			intercept = append(intercept, exactly(v))
		}
	}
	each := len(p.adds) / max(p.Rows(), 1) // contributions of a row
	table.Write(head)
	for i := range p.Rows() {
		row := slices.Concat(p.kept.row(i), cells.row(i), p.ranges.row(i), intercept)
		for _, v := range p.adds[i*each : (i+1)*each] {
			row = append(row, exactly(v))
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

// contributionNames returns the names of columns that say what is added up: the intercept
// and the variables, with several classes each for every class.
func contributionNames(m *model.Model) []string {
	names := []string{"intercept"}
	for _, v := range m.Selected() {
		names = append(names, "adds_"+v.FullName())
	}
	if m.Outputs() == 1 {
		return names
	}
	var all []string
	for _, name := range names {
		for c := range m.Outputs() {
			class := strconv.Itoa(c)
			if classes := m.Classes(); classes != nil {
				class = classes[c]
			}
			all = append(all, name+"_"+class)
		}
	}
	return all
}
