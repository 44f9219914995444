package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data/open"
	"fsa/model"
)

// checkOrder returns an error if a table is given before its model.
func checkOrder(ctx context.Context, first, second string) error {
	if _, err := os.Stat(first); err != nil || isModel(ctx, modelPath(first)) || !isModel(ctx, modelPath(second)) {
		return nil
	}
	return usagef("%s is not a model, but %s is: give the model first", first, second)
}

// predict does the work of the predict command.
func predict(cmd *cobra.Command, modelFile, path string, in input, out string, o predictOutput) error {
	m, sum, err := loadModel(cmd.Context(), modelFile)
	if err != nil {
		return err
	}
	if err := tellChanged(cmd, modelFile, modelName); err != nil {
		return err
	}
	if m, err = extrapolated(m, o.extrapolate); err != nil {
		return err
	}
	if err := m.CheckLink(); err != nil {
		return err
	}
	if o.plus && o.extrapolate != "" {
		return usagef("--extrapolate does not work with --cv-plus, whose intervals are those of the models of the folds: give it to fsa fit instead")
	}
	if in.Offset != "" {
		if m, err = m.WithOffset(in.Offset, in.Exposure); err != nil {
			return err
		}
		in.Offset = "" // the model adds it
	}
	for _, name := range in.Drop {
		if _, needed := m.Kinds()[name]; needed {
			return usagef("--drop %s: the model needs this column", name)
		}
	}
	if err := checkTimes(m, o.at); err != nil {
		return err
	}
	in.Skip, in.Note = in.Drop, newProgress(cmd.ErrOrStderr()).note
	in.lookAt(m, o.keep)
	o.intervals, o.measured = cmd.Flags().Changed("interval"), in.Target != "" || in.Weights != "" || in.Query != ""
	if o.plus {
		if !o.intervals {
			return usagef("--cv-plus needs the coverage of the intervals, such as --interval 0.9")
		}
		if o.folds, err = loadFolds(cmd.Context(), modelFile, sum, m); err != nil {
			return err
		}
		in.lookAtFolds(o.folds)
	}
	o.memory = in.Memory
	w, err := newPredictionWriter(m, path, modelFile, out, o)
	if err != nil {
		return err
	}
	defer w.close()
	p, err := score(cmd.Context(), m, path, in, o, w.add)
	if err != nil {
		return err
	}
	if p.bad != nil && o.measured {
		return p.bad
	}
	for _, name := range slices.Sorted(maps.Keys(p.unseen)) {
		newProgress(cmd.ErrOrStderr()).note("column %s: %d of %d rows have a category that was not seen in training, or none; it is treated as rare, or adds nothing", name, p.unseen[name], p.rows)
	}
	metrics, err := whileWanted(cmd.Context(), p.metrics)
	switch {
	case err != nil && (o.measured || cmd.Context().Err() != nil):
		return err
	case err != nil: // evaluation was not requested, so its error must not prevent predictions
		fmt.Fprintf(cmd.ErrOrStderr(), "fsa: the predictions could not be evaluated: %v\n", err)
	}
	if err := w.finish(cmd.Context(), cmd.OutOrStdout(), predicted{Rows: p.rows, Metrics: metrics, Out: out}); err != nil {
		return err
	}
	if o.json {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", measureLabel(name), precise(name, metrics[name]))
	}
	return nil
}

// checkTimes returns an error for times at which survival probabilities cannot be predicted.
func checkTimes(m *model.Model, times []float64) error {
	for _, at := range times {
		if !(at >= 0) {
			return usagef("--at %v: a time must not be negative", at)
		}
	}
	if len(times) == 0 {
		return nil
	}
	if _, err := m.Survival(nil, times); err != nil {
		return usagef("--at: %s", strings.TrimPrefix(err.Error(), "fsa: "))
	}
	return nil
}

// whileWanted returns the result of f, or an error as soon as the context ends. It does not wait
// for f then, because the program ends.
func whileWanted[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// predictionWriter writes predictions to a file, or to standard output, where nothing appears
// before all of them are known.
type predictionWriter struct {
	file   *open.File // nil for standard output
	spool  spool
	csv    *predictionsCSV  // nil if predictions are in the object
	object *predictionsJSON // nil if predictions are not in the object
	json   bool
	memory int64 // memory for a file in a format other than CSV
}

// newPredictionWriter fails early if the output cannot be written.
func newPredictionWriter(m *model.Model, path, modelFile, out string, o predictOutput) (*predictionWriter, error) {
	w := &predictionWriter{json: o.json}
	switch {
	case out != "" && (sameFile(out, path) || sameFile(out, modelFile)):
		return nil, usagef("--out %s: this is the input file: give another name", out)
	case out != "":
		var err error
		if w.file, err = open.CreateTable(out); err != nil {
			return nil, err
		}
		var to io.Writer = w.file
		if !w.file.IsCSV() {
			to, w.memory = &w.spool, o.memory
		}
		w.csv = newPredictionsCSV(to, m, o)
		if !w.file.IsCSV() {
			w.csv.texts = make([]bool, len(w.csv.head))
		}
	case o.json:
		w.object = newPredictionsJSON(m, o)
	default:
		w.csv = newPredictionsCSV(&w.spool, m, o)
	}
	return w, nil
}

// add adds the rows of a batch.
func (w *predictionWriter) add(p *batch) error {
	if w.object != nil {
		return w.object.add(p)
	}
	return w.csv.add(p)
}

// finish writes the output.
func (w *predictionWriter) finish(ctx context.Context, stdout io.Writer, head predicted) error {
	if w.csv != nil {
		if err := w.csv.end(); err != nil {
			return err
		}
	}
	if w.file != nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !w.file.IsCSV() {
			text, err := w.spool.reader(ctx)
			if err == nil {
				err = w.file.WriteTable(ctx, text, w.csv.textColumns(), w.memory)
			}
			if err != nil {
				return err
			}
		}
		if err := w.file.Commit(); err != nil || !w.json {
			return err
		}
		return printJSON(stdout, head)
	}
	if w.object == nil {
		return w.spool.copyTo(ctx, stdout)
	}
	return w.object.print(ctx, stdout, head)
}

// close discards what was not written.
func (w *predictionWriter) close() {
	if w.file != nil {
		w.file.Abort()
	}
	if w.object != nil {
		w.object.close()
	}
	w.spool.close()
}

// loadFolds reads the models of the folds, which are in the folder of a model.
func loadFolds(ctx context.Context, modelFile, sum string, m *model.Model) (*model.Folds, error) {
	if m.Task() != model.Regression {
		return nil, usagef("--cv-plus is for regressions, and this is a %s: leave it out to get sets of classes", m.Task())
	}
	path := filepath.Join(filepath.Dir(modelFile), foldsName)
	f, err := openOurs(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("there is no %s beside the model: fit it again with cross-validation and --out, or leave out --cv-plus", foldsName)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	folds, of, err := model.ReadFolds(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if of != sum {
		return nil, fmt.Errorf("%s: %w: it belongs to another model than the one beside it: fit again", path, model.ErrModelFile)
	}
	return folds, nil
}

// lookAtFolds adds the columns that the models of folds use to those that are read.
func (in *input) lookAtFolds(folds *model.Folds) {
	for _, m := range folds.Models() {
		for name, kind := range m.Kinds() {
			if _, used := in.Kinds[name]; !used {
				in.Kinds[name] = kind
				in.Only = append(in.Only, name)
			}
		}
	}
}
