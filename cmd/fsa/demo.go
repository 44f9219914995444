package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/internal/runs"
	"fsa/model"
	"fsa/report"
)

func demoCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run an example: find 10 true variables among 1000",
		Long: `demo runs the paper's first example: 1000 rows of 1000 correlated variables, 10
of which determine the class. It selects 10 variables, compares them with the
true ones, tests the model on 1000 new rows, and plots the coefficients during
training.`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd, out) },
	}
	cmd.Flags().StringVar(&out, "out", "fsa-demo", "`FOLDER` for the model and the picture")
	return cmd
}

// The seeds of the training data and of the test data.
const demoSeed, demoTestSeed = 1, 2

func demo(cmd *cobra.Command, out string) error {
	ctx, w := cmd.Context(), cmd.OutOrStdout()
	folder, err := newRunFolder(out)
	if err != nil {
		return err
	}
	defer folder.Abort()
	c := synth.Config{Model: synth.AR1, Task: synth.Classification, N: 1000, M: 1000, K: 10, Seed: demoSeed}
	fmt.Fprintf(w, "%d rows of %d variables. Neighbours have correlation 0.9.\n%d variables determine the class.\n", c.N, c.M, c.K)
	start := time.Now()
	table, err := synthetic(ctx, c)
	if err != nil {
		return err
	}
	read := time.Since(start)

	var paths pathRecorder
	start = time.Now()
	learned, err := fsa.Fit(ctx, table, fsa.Options{K: c.K, Run: fsa.Run{Observe: func(p fsa.Progress) {
		folder.Epoch(p, time.Since(start))
		paths.add(p)
	}}})
	if err != nil {
		return err
	}
	took := runs.Timing{SecondsRead: read.Seconds(), SecondsFit: time.Since(start).Seconds()}

	truth := synth.Truth(c)
	fmt.Fprintf(w, "\n%-10s %10s\n", "selected", "importance")
	found := 0
	for _, v := range learned.Selected() {
		mark := "not a true one"
		if slices.Contains(truth, v.Index) {
			mark = "true variable"
			found++
		}
		fmt.Fprintf(w, "%-10s %10.3f   %s\n", v.Name, v.Norm, mark)
	}
	fmt.Fprintf(w, "\n%d of the %d true variables found in %.2f s.\n", found, c.K, took.SecondsFit)

	c.Seed = demoTestSeed
	test, err := synth.NewReader(c)
	if err != nil {
		return err
	}
	defer test.Close()
	p, err := scoreReader(ctx, learned, test, "test rows", data.Roles{}, predictOutput{}, nil)
	if err != nil {
		return err
	}
	metrics, err := p.metrics()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "On %d new rows: AUC %.4f, error %.2f%%.\n", p.rows, metrics["auc"], 100*metrics["error"])

	const picture = "paths.svg"
	plot := paths.plot(learned, "Coefficients while variables are dropped")
	folder.Attach(picture, func(w io.Writer, _ string) error { return report.Paths(w, plot) })
	if err := folder.Commit(learned, took); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\nmodel    %s\npicture  %s\n", folder.Model(), filepath.Join(out, picture))
	return err
}

func synthetic(ctx context.Context, c synth.Config) (*data.Dataset, error) {
	r, err := synth.NewReader(c)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return data.Load(ctx, r, "synthetic data", data.Roles{})
}

// pathRecorder records the coefficient of every variable for every epoch until it is dropped.
type pathRecorder struct {
	values map[int][]float64
}

func (r *pathRecorder) add(p fsa.Progress) {
	if r.values == nil {
		r.values = map[int][]float64{}
	}
	for i, g := range p.Alive {
		v := p.Variable(g)
		if r.values[v] == nil {
			r.values[v] = []float64{0} // initial value
		}
		r.values[v] = append(r.values[v], p.Layout.Of(p.Beta, i)[0])
	}
}

// plot draws all recorded variables and highlights those of the model, the most important first.
func (r *pathRecorder) plot(m *model.Model, title string) report.PathPlot {
	plot := report.PathPlot{Title: title}
	chosen := map[int]bool{}
	for _, v := range m.Selected() {
		chosen[v.Index] = true
		plot.Lines = append(plot.Lines, report.Line{Name: v.Name, Values: r.values[v.Index], Highlight: true})
	}
	for _, v := range slices.Sorted(maps.Keys(r.values)) {
		if !chosen[v] {
			plot.Lines = append(plot.Lines, report.Line{Values: r.values[v]})
		}
	}
	return plot
}
