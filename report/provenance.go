package report

import (
	"fmt"
	"strings"

	"fsa/internal/decimal"
)

// provenance fills in the command, the data and the settings of the run.
func (p *page) provenance(r *Run) {
	p.Record = r.Record
	add := func(name, value string) {
		if value != "" {
			p.Provenance = append(p.Provenance, pair{name, value})
		}
	}
	rec := r.Record
	if rec == nil {
		add("run", r.Name)
		return
	}
	p.Notes = rec.Notes
	if add("run", r.Name); rec.Line() == "" { // a file without more information
		add("model's checksum", rec.Model)
		return
	}
	p.Command = rec.Line()
	p.Data.Copy["command"] = p.Command
	add("program", "fsa "+rec.Version+", "+rec.System)
	add("started", rec.Started)
	add("time", fmt.Sprintf("%s s to read, %s s to fit", brief(rec.Seconds.Read), brief(rec.Seconds.Fit)))
	add("seed", fmt.Sprint(rec.Seed))
	add("table", rec.Data.File)
	size := fmt.Sprintf("%s, %s", plural(rec.Data.Rows, "row", "rows"), plural(rec.Data.Columns, "variable", "variables"))
	if cells := float64(rec.Data.Rows) * float64(rec.Data.Columns); rec.Data.Missing > 0 && cells > 0 {
		size += fmt.Sprintf(", %s of the cells missing", percent(float64(rec.Data.Missing)/cells))
	}
	if rec.Data.Bytes > 0 {
		size += ", " + decimal.Count(int(rec.Data.Bytes)) + " bytes"
	}
	add("its size", size)
	add("its checksum", rec.Data.SHA256)
	add("model's checksum", rec.Model)
}

// Line returns the command or the call of a run, or "" if it is not recorded.
func (r *RunRecord) Line() string {
	if r.Call != "" || r.Command == nil {
		return r.Call
	}
	return CommandLine(r.Command)
}

// CommandLine formats a command so that a shell can read it.
func CommandLine(words []string) string {
	text := "fsa"
	for _, w := range words {
		text += " " + shellWord(w)
	}
	return text
}

// shellWord quotes a word if a shell would otherwise interpret it.
func shellWord(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:@%+", r)
	}
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !plain(r) }) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
