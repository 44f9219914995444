package paper

import (
	"encoding/csv"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"fsa/internal/atomicfile"
)

// Result is the result of an experiment.
type Result struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Rows  []Row  `json:"rows"`
	// Notes explain the rows.
	Notes []string `json:"notes"`
	// Files are the written files, without the journal.
	Files []string `json:"files"`
	// Seconds is the time of this call. Fits of earlier calls do not count.
	Seconds float64 `json:"seconds"`

	pictures []picture
	// byMethod prints a line per method instead of per size, if there are few sizes.
	byMethod bool
}

// Row is a number of ours beside the published one; unknown numbers are nil.
type Row struct {
	// Data is the data set, if there are several.
	Data string `json:"data,omitempty"`

	N *int `json:"n"`
	M *int `json:"m"`
	K *int `json:"k"`

	Method string `json:"method"`
	// Metric is the name and the unit: DR and PCD are percents.
	Metric    string   `json:"metric"`
	Ours      *float64 `json:"ours"`
	Published *float64 `json:"published"`
	// Runs is the number of runs over which Ours is averaged, and SE its standard error.
	Runs int      `json:"runs"`
	SE   *float64 `json:"se"`
	// Differs says that the difference from the published number is significant.
	Differs bool `json:"differs,omitempty"`
}

// picture is a drawing of a result.
type picture struct {
	name string // without its extension
	draw func(io.Writer) error
	// points are the drawn numbers, for users who want to draw them themselves: a header, then rows.
	// Nil if there are too many.
	points [][]string
}

// write writes everything into a folder: all files completely, or none.
func (r *Result) write(folder string) error {
	type output struct {
		name  string
		write func(io.Writer) error
	}
	outputs := []output{{r.Name + ".csv", r.writeCSV}, {r.Name + ".md", r.Markdown}}
	for _, p := range r.pictures {
		outputs = append(outputs, output{p.name + ".svg", p.draw})
		if p.points != nil {
			outputs = append(outputs, output{p.name + "-points.csv", func(w io.Writer) error { return csv.NewWriter(w).WriteAll(p.points) }})
		}
	}
	var files []*atomicfile.File
	var paths []string
	for _, o := range outputs {
		path := filepath.Join(folder, o.name)
		f, err := atomicfile.Create(path)
		if err != nil {
			return err
		}
		defer f.Abort()
		if err := o.write(f); err != nil {
			return err
		}
		files, paths = append(files, f), append(paths, path)
	}
	if err := atomicfile.CommitAll(files...); err != nil {
		return err
	}
	r.Files = append(r.Files, paths...)
	return nil
}

// writeCSV writes the rows; unknown numbers are empty.
func (r *Result) writeCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"data", "n", "m", "k", "method", "metric", "ours", "published", "runs", "se"})
	for _, row := range r.Rows {
		w.Write([]string{
			row.Data, optional(row.N, strconv.Itoa), optional(row.M, strconv.Itoa), optional(row.K, strconv.Itoa), row.Method, row.Metric,
			optional(row.Ours, exact), optional(row.Published, exact), strconv.Itoa(row.Runs), optional(row.SE, exact),
		})
	}
	w.Flush()
	return w.Error()
}

// optional writes a number that may be unknown.
func optional[T any](v *T, format func(T) string) string {
	if v == nil {
		return ""
	}
	return format(*v)
}

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// shown writes a number with as many digits as the paper gives its metric.
func shown(metric string, v float64) string {
	switch metric {
	case dr:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case pcd, passes, failures:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case auc:
		return strconv.FormatFloat(v, 'f', 3, 64)
	case rmse, trainError, validError, testError:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	// Not 1e+03.
	if v >= 100 || v <= -100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// The names of metrics.
const (
	dr         = "DR"                // percentage of tables for which exactly the true variables were selected
	pcd        = "PCD"               // percentage of the true variables that were selected
	failures   = "search_failed_pct" // percentage of tables for which the truth was not found although its loss is lower
	auc        = "AUC"               // on new rows
	rmse       = "RMSE"              // on new rows
	seconds    = "time_s"            // of training
	passes     = "passes"
	trainError = "err_train_pct"
	validError = "err_valid_pct"
	testError  = "err_test_pct"
)

// unknown stands for a number that is missing.
const unknown = "–"

// unique returns the different values of a field of rows, in their order.
func unique[T comparable](rows []Row, field func(Row) T) []T {
	var out []T
	for _, r := range rows {
		if v := field(r); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// sizeOf returns the size of a row as written in a table.
func sizeOf(r Row) [3]string {
	text := func(v *int) string {
		if v == nil {
			return unknown
		}
		return strconv.Itoa(*v)
	}
	return [3]string{text(r.N), text(r.M), text(r.K)}
}
