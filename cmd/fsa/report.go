package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/data/kind"
	"fsa/internal/atomicfile"
	"fsa/model"
	"fsa/report"
)

// comparisonName is the report of several runs, where the program is called.
const comparisonName = "comparison.html"

func reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RUN…",
		Short: "Write what is known of a run as one HTML page",
		Long: `report writes one HTML file that needs nothing from outside: how many variables,
which, how they act, how sure and how good that is, what nearly made it, and what
was run. RUN is a run folder of fsa fit or fsa motion train, or a detector of
fsa keypoint train. Several runs give a page that sets them side by side.`,
		Example: "  fsa report run\n  fsa report run1 run2 --out comparison.html",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				if out = comparisonName; len(args) == 1 {
					out = reportPath(cmd.Context(), modelPath(args[0]))
				}
			}
			return writeReport(cmd, args, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`file` for the page (default report.html in the run folder or beside the detector, or comparison.html here)")
	return cmd
}

// reportPath returns where the report of a model belongs: into its folder, but beside a
// detector, of which there may be several in one.
func reportPath(ctx context.Context, file string) string {
	if begins(ctx, file, keypoint.Sniff) {
		return detectorPage(file)
	}
	return filepath.Join(filepath.Dir(file), reportName)
}

// detectorPage returns where the report of a detector goes.
func detectorPage(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) + ".html" }

// writeReport writes the report of a run, or sets several side by side.
func writeReport(cmd *cobra.Command, folders []string, out string) error {
	var runs []*report.Run
	for _, path := range folders {
		r, err := readRun(cmd.Context(), path)
		if err != nil {
			return err
		}
		runs = append(runs, r)
	}
	if slices.ContainsFunc(folders, func(f string) bool { return sameFile(out, modelPath(f)) }) {
		return usagef("--out %s: this is a model: name another", out)
	}
	distinguish(runs, folders)
	err := atomicfile.WriteFile(out, func(w io.Writer) error {
		if len(runs) == 1 {
			return report.Write(w, runs[0])
		}
		return report.WriteComparison(w, runs)
	})
	if err == nil {
		newProgress(cmd.ErrOrStderr()).note("the report is in %s", out)
	}
	return err
}

// distinguish names runs by their whole paths where their last parts are alike.
func distinguish(runs []*report.Run, folders []string) {
	count := map[string]int{}
	for _, r := range runs {
		count[r.Name]++
	}
	for i, r := range runs {
		if count[r.Name] > 1 {
			r.Name = folders[i]
		}
	}
}

// readRun reads a run folder.
func readRun(ctx context.Context, path string) (*report.Run, error) {
	file := modelPath(path)
	if begins(ctx, file, keypoint.Sniff) {
		return readDetectorRun(ctx, file)
	}
	m, sum, err := loadModel(ctx, file)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	r := &report.Run{Name: filepath.Base(folder), Model: plainModel(m)}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		r.Name = filepath.Base(path)
	}
	if v := m.Validation(); v != nil {
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &r.Curve)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return r, r.ReadFolder(folder, sum)
}

// scales are what the numbers of a kind count.
var scales = map[kind.Name]string{kind.Date: "years", kind.Time: "hours"}

// plainModel returns a model in plain numbers.
func plainModel(m *model.Model) report.Model {
	t, a := m.Training(), m.Additive()
	p := report.Model{
		Task: string(m.Task()), Loss: m.Loss(), Method: t.Method, Target: t.Target, Classes: m.Classes(), Outputs: m.Outputs(),
		Rows: t.Rows, Columns: t.Columns, Ridge: t.Ridge, Intercept: a.Intercept, Metrics: t.Metrics,
	}
	selected, kinds := m.Selected(), m.Kinds()
	for i, v := range a.Terms {
		one := report.Variable{
			Name: strings.ToValidUTF8(v.Name, "\ufffd"), Index: v.Index, Strength: v.Norm, Kind: string(v.Kind), Coefficients: v.Coefficients,
			Center: v.Center, Low: v.Low, High: v.High, Knots: v.Knots, Missing: v.Missing, Levels: v.Categories,
		}
		if c := kinds[selected[i].Name]; len(c.Parts()) > 0 {
			one.Column = strings.ToValidUTF8(selected[i].Name, "\ufffd")
			if v.Kind != model.Category {
				one.Scale, one.Show = scales[c.Kind], c.Show
			}
		}
		p.Variables = append(p.Variables, one)
	}
	return p
}
