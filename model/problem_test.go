package model_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/model"
)

// townRows is the schema of the table of towns, and its rows.
func townRows() (*data.Schema, *data.Block, []float64) {
	schema := &data.Schema{Width: 3, Names: []string{"size", "town", "age"}, Categories: map[int][]string{1: {"Rome", "Oslo", "Lima"}}}
	b := &data.Block{Rows: 60}
	var y []float64
	for i := range b.Rows {
		town := float64(i % 3)
		if i%10 == 9 {
			town = math.NaN()
		}
		b.Dense = append(b.Dense, float64(i%7), town, float64(i%5))
		y = append(y, float64(i%7)+10*float64(i%3))
	}
	return schema, b, y
}

// towns returns a table of two numbers and a text.
func towns(t *testing.T) *data.Dataset {
	t.Helper()
	schema, b, y := townRows()
	builder := data.NewBuilder("towns", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := builder.Add(b); err != nil {
		t.Fatal(err)
	}
	d, err := builder.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// learned returns a model of the towns whose parts were made by hand.
func learned(t *testing.T) *model.Model {
	t.Helper()
	p, err := model.NewProblem(towns(t), "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(model.Outcome{Method: "hand", K: 2, Intercept: 13, Parts: []model.Part{{Variable: 1, Slope: 2}, {Variable: 0, Slope: 1}}, Decision: make([]float64, 60)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A method that knows numbers only sees texts as numbers, and its model has texts again, which add what their
// numbers would.
func TestProblemOfTexts(t *testing.T) {
	p, err := model.NewProblem(towns(t), "auto")
	if err != nil {
		t.Fatal(err)
	}
	if p.Task != model.Regression || p.Loss() != "squared" || len(p.Data.Columns) != 3 || p.Data.Columns[1].Text {
		t.Fatalf("a %s by the %s loss of the columns %+v", p.Task, p.Loss(), p.Data.Columns)
	}
	m := learned(t)
	a := m.Additive()
	at := slices.IndexFunc(a.Terms, func(term model.Term) bool { return term.Name == "town" })
	if at < 0 || a.Terms[at].Kind != model.Category || strings.Join(a.Terms[at].Categories, ",") != "Rome,Oslo,Lima," { // the last is a missing one
		t.Fatalf("terms %+v", a.Terms)
	}
	// Lima has the largest responses, and Rome the least. Slopes are 2 for each unit of the mean response.
	effect := a.Terms[at].Coefficients[0]
	if !(effect[0] < effect[1] && effect[1] < effect[2]) || a.Terms[at].Missing[0] == 0 {
		t.Errorf("towns add %v, and a missing one %v", effect, a.Terms[at].Missing)
	}
	if tr := m.Training(); tr.Method != "hand" || tr.K != 2 || tr.Rows != 60 || tr.Columns != 3 || tr.Metrics["rmse"] <= 0 {
		t.Errorf("training %+v", tr)
	}
	if kinds := m.Kinds(); len(kinds) != 2 || kinds["town"].Kind == kinds["size"].Kind {
		t.Errorf("kinds %v", kinds)
	}
}

// What a problem cannot be is refused.
func TestRefusedProblems(t *testing.T) {
	if _, err := model.NewProblem(towns(t), "nothing"); !errors.Is(err, model.ErrOptions) || !strings.Contains(err.Error(), "auto") {
		t.Errorf("an unknown loss: %v", err)
	}
	if _, err := model.NewProblem(tableOf(t, data.Target{Y: []float64{0, 1, 2}, Categories: colours}), ""); !errors.Is(err, data.ErrBadData) {
		t.Errorf("three classes: %v", err)
	}
}

// Contributions and the intercept add up to the decision value, and texts that were not learned are counted.
func TestContributionsAddUp(t *testing.T) {
	schema, b, _ := townRows()
	m := learned(t)
	schema.Categories[1] = append(schema.Categories[1], "Bonn")
	b.Dense[1], b.Dense[4] = 3, 3
	sc, err := m.Scorer(schema)
	if err != nil {
		t.Fatal(err)
	}
	z, err := sc.Score(b)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := sc.Contributions(b)
	if err != nil {
		t.Fatal(err)
	}
	terms := len(m.Selected())
	for i, want := range z {
		got := m.Additive().Intercept[0]
		for _, v := range parts[i*terms : (i+1)*terms] {
			got += v
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d has the decision value %v, its contributions add up to %v", i, want, got)
		}
	}
	if got := sc.Unseen(); len(got) != 1 || got["town"] < 2 {
		t.Errorf("texts that were not learned: %v", got)
	}
	if _, err := sc.Contributions(&data.Block{Rows: 2, Dense: []float64{1}}); err == nil {
		t.Error("half a block has contributions")
	}
}

// A model that was saved is the model that is loaded.
func TestSaveAndLoad(t *testing.T) {
	m := learned(t).WithTest(model.Test{Name: "test", Rows: 5, Metrics: map[string]float64{"rmse": 1}, Sizes: []int{2}}).
		WithStability(&model.Stability{Halves: 4, Shares: map[string]float64{"town": 1}})
	path := filepath.Join(t.TempDir(), "model.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	m.WriteTo(&a)
	again.WriteTo(&b)
	if !bytes.Equal(a.Bytes(), b.Bytes()) || !model.Sniff(a.Bytes()) || model.Sniff([]byte("{}")) {
		t.Error("the model is another one, or cannot be told")
	}
	if again.Loss() != "squared" || again.Task() != model.Regression || again.Classes() != nil || again.Calibrated() || again.Threshold() != 0 || len(again.Intercept()) != 1 {
		t.Errorf("the model has the %s loss and the classes %v", again.Loss(), again.Classes())
	}
	// What is asked for is a copy.
	again.Tests()[0].Metrics["rmse"], again.Stability().Shares["town"] = 7, 7
	if again.Tests()[0].Metrics["rmse"] != 1 || again.Stability().Shares["town"] != 1 || len(learned(t).Tests()) != 0 || learned(t).Stability() != nil {
		t.Error("a model was changed from outside")
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that does not exist is loaded")
	}
	for i := range a.Len() - 1 { // every eighth cut
		if i%8 == 0 {
			if _, err := model.Read(bytes.NewReader(a.Bytes()[:i])); !errors.Is(err, model.ErrModelFile) {
				t.Fatalf("cut after %d bytes: %v", i, err)
			}
		}
	}
}

// Predictions know their classes and are measured against targets, in which texts may be in another order.
func TestPredictions(t *testing.T) {
	m, err := model.Load("testdata/v1/multinomial.json")
	if err != nil {
		t.Fatal(err)
	}
	classes := m.Classes()
	p := m.Prediction([]float64{3, 0, 0, 0, 3, 0, 0, 0, 3})
	if !slices.Equal(p.Class(), classes) || p.Rows() != 3 || p.Outputs() != 3 || p.Task() != model.Classification || !slices.Equal(p.Classes(), classes) {
		t.Errorf("classes %q of %q in %d rows", p.Class(), p.Classes(), p.Rows())
	}
	mixed := []string{classes[2], classes[0], classes[1]}
	right := &data.Target{Y: []float64{1, 2, 0}, Categories: mixed}
	if got, err := p.Metrics(right); err != nil || got["error"] != 0 || !(got["logloss"] > 0) || got["brier"] != 0 {
		t.Errorf("measured %v, %v", got, err)
	}
	if got, err := p.Measures(right); err != nil || got["error"] != 0 || !(got["brier"] > 0) {
		t.Errorf("measured %v, %v", got, err)
	}
	if _, err := p.Metrics(&data.Target{Y: []float64{0, 1, 0}, Categories: []string{classes[0], "nobody"}}); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("an unknown class: %v", err)
	}
	if _, err := p.Measures(&data.Target{Y: []float64{0}}); err == nil {
		t.Error("a target of one row is measured")
	}
	number := learned(t).Prediction([]float64{1, 2})
	if number.Class() != nil || number.Probability() != nil {
		t.Error("a number has a class")
	}
	if _, err := number.Metrics(&data.Target{Y: []float64{0, 1}, Categories: colours}); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a number is measured by texts: %v", err)
	}
}

// A reader is predicted as its rows are.
func TestPredictReader(t *testing.T) {
	schema, b, _ := townRows()
	m := learned(t)
	sc, err := m.Scorer(schema)
	if err != nil {
		t.Fatal(err)
	}
	want, err := sc.Score(b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(t.Context(), &oneBlock{schema, b})
	if err != nil || !slices.Equal(got.Decision, want) {
		t.Errorf("a reader is predicted as %v, want %v (%v)", got, want, err)
	}
	if _, err := m.Predict(t.Context(), &oneBlock{&data.Schema{Width: 1, Names: []string{"size"}}, b}); err == nil {
		t.Error("a table without the column town is predicted")
	}
}

// oneBlock is a reader of one block.
type oneBlock struct {
	schema *data.Schema
	block  *data.Block
}

func (r *oneBlock) Schema() *data.Schema { return r.schema }
func (r *oneBlock) Close() error         { return nil }

func (r *oneBlock) Next(context.Context) (*data.Block, error) {
	b := r.block
	if r.block = nil; b == nil {
		return nil, io.EOF
	}
	return b, nil
}
