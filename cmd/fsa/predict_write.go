package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"fsa/internal/runs"
	"fsa/model"
)

// predictionsCSV writes a row for each prediction, followed by the contributions of the variables,
// if requested.
type predictionsCSV struct {
	table     *csv.Writer
	head      []string
	texts     []bool   // the columns with cells that are not numbers; nil if that is not needed
	intercept []string // first contributions; nil without contributions
}

func newPredictionsCSV(w io.Writer, m *model.Model, o predictOutput) *predictionsCSV {
	c := &predictionsCSV{table: csv.NewWriter(w)}
	head := slices.Concat(o.keep, runs.NewPredictionCells(m.Prediction([]float64{})).Head, survivalNames(o.at), rangeNames(m, o))
	if o.contributions {
		head = append(head, contributionNames(m)...)
		for _, v := range m.Additive().Intercept {
			c.intercept = append(c.intercept, exactly(v))
		}
	}
	c.head = head
	c.table.Write(head) // the writer keeps its error
	return c
}

// add writes the rows of a batch.
func (c *predictionsCSV) add(p *batch) error {
	cells := runs.NewPredictionCells(p.Prediction)
	each := len(p.adds) / max(p.Rows(), 1) // number of contributions per row
	for i := range p.Rows() {
		var row []string
		for _, column := range p.kept {
			row = append(row, column[i])
		}
		row = append(row, cells.Row(i)...)
		times := len(p.lives) / max(p.Rows(), 1)
		for _, v := range p.lives[i*times : (i+1)*times] {
			row = append(row, exactly(v))
		}
		row = slices.Concat(row, p.ranges.row(i), c.intercept)
		for _, v := range p.adds[i*each : (i+1)*each] {
			row = append(row, exactly(v))
		}
		for j := range c.texts {
			cell := row[j]
			c.texts[j] = c.texts[j] || cell != "" && !isExact(cell)
		}
		c.table.Write(row)
	}
	return c.table.Error()
}

// isExact reports whether a cell is a number in the form that [exactly] writes: 007 is not.
func isExact(cell string) bool {
	v, err := strconv.ParseFloat(cell, 64)
	return err == nil && exactly(v) == cell
}

// textColumns returns the names of the columns that are not numbers.
func (c *predictionsCSV) textColumns() []string {
	var names []string
	for j, text := range c.texts {
		if text {
			names = append(names, c.head[j])
		}
	}
	return names
}

// end writes the rest.
func (c *predictionsCSV) end() error {
	c.table.Flush()
	return c.table.Error()
}

// predicted is the JSON output of predict, without the predictions themselves.
type predicted struct {
	Rows    int                `json:"rows"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
	Out     string             `json:"out,omitempty"`
}

// predictionsJSON collects predictions as the lists of one object.
type predictionsJSON struct {
	m     *model.Model
	keep  []string
	lists map[string]*spool // the elements of each non-empty list, with commas between them
	kept  []spool
	adds  *spool // nil without contributions
}

func newPredictionsJSON(m *model.Model, o predictOutput) *predictionsJSON {
	j := &predictionsJSON{m: m, keep: o.keep, lists: map[string]*spool{}, kept: make([]spool, len(o.keep))}
	for _, name := range predictionLists {
		j.lists[name] = &spool{}
	}
	if o.contributions {
		j.adds = &spool{}
	}
	return j
}

// predictionLists are the lists of the object, in their order.
var predictionLists = []string{"decision", "prediction", "survival", "probability", "class", "low", "high", "sets"}

// add takes the rows of a batch.
func (j *predictionsJSON) add(p *batch) error {
	lists := map[string]any{"decision": p.Decision, "survival": p.lives, "probability": p.Probability(), "class": p.Class()}
	if j.m.Task() == model.Regression && j.m.Link().Numbers() || j.m.Settings().Quantiles != nil { // otherwise it is the decision value
		lists["prediction"] = p.Values()
	}
	if labels := p.Labels(); labels != nil {
		lists["class"], lists["probability"] = labels.Class, labels.Probability
	}
	if p.ranges != nil {
		lists["low"], lists["high"], lists["sets"] = p.ranges.low, p.ranges.high, p.ranges.sets
	}
	for _, name := range predictionLists {
		if err := addElements(j.lists[name], lists[name]); err != nil {
			return err
		}
	}
	for at, cells := range p.kept {
		if err := addElements(&j.kept[at], cells); err != nil {
			return err
		}
	}
	if j.adds == nil {
		return nil
	}
	return addElements(j.adds, p.adds)
}

// addElements adds the elements of a list.
func addElements(to *spool, list any) error {
	text, err := asJSON(list)
	if err != nil || len(text) <= len("[]") || string(text) == "null" {
		return err
	}
	if !to.empty() {
		if _, err := io.WriteString(to, ","); err != nil {
			return err
		}
	}
	_, err = to.Write(text[1 : len(text)-1])
	return err
}

// asJSON returns a value in the form of [printJSON], without the end of the line.
func asJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	err := printJSON(&out, v)
	return bytes.TrimSpace(out.Bytes()), err
}

// print writes the object.
func (j *predictionsJSON) print(ctx context.Context, w io.Writer, head predicted) error {
	text, err := asJSON(head)
	if err != nil {
		return err
	}
	o := &objectWriter{ctx: ctx, w: w}
	o.write(string(text[:len(text)-1])) // without the closing brace
	for _, name := range predictionLists {
		if list := j.lists[name]; !list.empty() {
			o.list(","+quoteJSON(name), list)
		}
	}
	if len(j.keep) > 0 {
		o.write(`,"kept":{`)
		for i, at := range inOrder(j.keep) {
			comma := ","
			if i == 0 {
				comma = ""
			}
			o.list(comma+quoteJSON(j.keep[at]), &j.kept[at])
		}
		o.write("}")
	}
	if j.adds != nil {
		names := []string{} // a list, not null, even without variables
		for _, v := range j.m.Selected() {
			names = append(names, v.FullName())
		}
		for _, t := range j.m.Interactions() {
			names = append(names, t.Name())
		}
		about, err := asJSON(struct {
			Variables []string  `json:"variables"`
			Intercept []float64 `json:"intercept"`
		}{names, j.m.Additive().Intercept})
		if err != nil {
			return err
		}
		o.write(`,"contributions":` + string(about[:len(about)-1]))
		o.list(`,"adds"`, j.adds)
		o.write("}")
	}
	o.write("}\n")
	return o.err
}

// inOrder returns the indices of distinct names, sorted by name.
func inOrder(names []string) []int {
	sorted := slices.Sorted(slices.Values(names))
	at := make([]int, 0, len(names))
	for _, name := range slices.Compact(sorted) {
		at = append(at, slices.Index(names, name))
	}
	return at
}

func quoteJSON(text string) string {
	quoted, _ := asJSON(text) // encoding a text cannot fail
	return string(quoted)
}

// objectWriter writes an object. It keeps its error.
type objectWriter struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (o *objectWriter) write(text string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, text)
	}
}

func (o *objectWriter) list(key string, elements *spool) {
	o.write(key + ":[")
	if o.err == nil {
		o.err = elements.copyTo(o.ctx, o.w)
	}
	o.write("]")
}

// close frees the spool.
func (j *predictionsJSON) close() {
	for _, list := range j.lists {
		list.close()
	}
	for at := range j.kept {
		j.kept[at].close()
	}
	if j.adds != nil {
		j.adds.close()
	}
}

// survivalNames returns the names of the columns of survival probabilities.
func survivalNames(times []float64) (names []string) {
	for _, at := range times {
		names = append(names, "survival_"+exactly(at))
	}
	return names
}

// contributionNames returns the names of the columns of contributions: the intercept, the
// variables and the interactions, for every class if there are several.
func contributionNames(m *model.Model) []string {
	names := []string{"intercept"}
	for _, v := range m.Selected() {
		names = append(names, "adds_"+v.FullName())
	}
	for _, t := range m.Interactions() {
		names = append(names, "adds_"+t.Name())
	}
	if m.Outputs() == 1 {
		return names
	}
	var all []string
	for _, name := range names {
		for c := range m.Outputs() {
			all = append(all, name+"_"+m.OutputNames()[c])
		}
	}
	return all
}
