package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"fsa/internal/template"
)

// Entry is a run in a list of runs.
type Entry struct {
	Path    string  `json:"path"`
	Table   string  `json:"table"`
	Target  string  `json:"target"`
	Task    string  `json:"task"`
	K       int     `json:"k"`
	Measure string  `json:"measure,omitempty"` // name of the score; empty if nothing was measured
	Score   float64 `json:"score,omitempty"`
	Held    bool    `json:"cross_validated"` // the score is of rows that were not used for training
	Seconds float64 `json:"seconds,omitempty"`
	Started string  `json:"started,omitempty"`
	Version string  `json:"version,omitempty"`

	record *RunRecord
}

// NewEntry describes a run.
func NewEntry(path string, r *Run) Entry {
	e := Entry{Path: path, Target: r.Model.Target, Task: r.Model.Task, K: len(r.Model.columns()), record: r.Record}
	if e.Measure, e.Score, e.Held = mainMeasure(r); !e.Held {
		e.Measure, e.Score, _ = pickMeasure(r.Model.Metrics)
	}
	if rec := r.Record; rec != nil {
		e.Table, e.Seconds, e.Started, e.Version = rec.Data.File, rec.Seconds.Fit, rec.Started, rec.Version
	}
	return e
}

// ScoreText returns the score in words.
func (e Entry) ScoreText() string {
	if e.Measure == "" {
		return ""
	}
	text := MeasureName(e.Measure) + " " + precise(e.Score)
	if !e.Held {
		text += " *"
	}
	return text
}

// base returns the name of a file without its folders.
func base(file string) string { return file[strings.LastIndexAny(file, `/\\`)+1:] }

// minute writes a time without its seconds: 2026-01-31 23:59.
func minute(text string) string {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Format("2006-01-02 15:04")
	}
	return text
}

// WriteRuns writes a page that lists runs.
func WriteRuns(w io.Writer, folder string, entries []Entry) error {
	if whole, err := filepath.Abs(folder); err == nil {
		folder = filepath.Base(whole)
	}
	p := &page{
		Title: "Runs in " + folder, Headline: plural(len(entries), "run", "runs") + ".", Policy: policy(), CSS: template.Verbatim(pageCSS), JS: template.Verbatim(pageJS),
		Data: pageData{CSV: map[string]string{}, Copy: map[string]string{}}, History: &history{},
	}
	table := [][]string{{"path", "table", "target", "task", "k", "measure", "score", "cross_validated", "seconds", "started", "version"}}
	var records []*RunRecord
	for _, e := range entries {
		row := historyRow{Path: e.Path, Table: e.Table, Target: e.Target, Task: e.Task, K: fmt.Sprint(e.K), Score: e.ScoreText(), SortScore: exact(e.Score), SortSeconds: exact(e.Seconds), Started: e.Started, Version: e.Version}
		if e.Seconds > 0 {
			row.Seconds = brief(e.Seconds)
		}
		p.History.Rows, p.History.Names = append(p.History.Rows, row), append(p.History.Names, e.Path)
		records = append(records, e.record)
		table = append(table, []string{e.Path, e.Table, e.Target, e.Task, row.K, e.Measure, row.SortScore, fmt.Sprint(e.Held), row.SortSeconds, e.Started, e.Version})
	}
	p.History.Settings = settings(records)
	p.Data.CSV["runs"] = csvText(table)
	return pageTemplate.Execute(w, p)
}
