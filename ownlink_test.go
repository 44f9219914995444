package fsa_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/export"
	"fsa/internal/losstest"
	"fsa/loss"
	"fsa/model"
)

func TestProbit(t *testing.T) {
	losstest.Run(t, Probit{}, losstest.Config{Response: func(r *rand.Rand) float64 { return float64(r.IntN(2)) }})
}

// counted is the poisson loss as a loss of a caller, with a link that every program knows.
type counted struct {
	loss.Poisson
	link loss.Link
}

func (c counted) Link() loss.Link { return c.link }

// named is a loss with measures of some names.
type named struct {
	loss.Squared
	names []string
}

func (n named) Measures() (list []loss.Measure) {
	for _, name := range n.names {
		list = append(list, loss.Measure{Name: name, Of: func([]float64, []float64, []float64) float64 { return math.NaN() }})
	}
	return list
}

func counts(t *testing.T) *data.Dataset {
	return made(t, synth.Config{N: 200, M: 20, K: 2, Seed: 3, Task: synth.Counts})
}

// saved writes a model and reads it.
func saved(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	m, err := model.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A loss of the caller that names the link of the poisson loss has models that predict, measure and are exported like those of
// the poisson loss.
func TestOwnNamedLink(t *testing.T) {
	d := counts(t)
	m := saved(t, fit(t, d, fsa.Options{K: 2, Bins: fsa.None, Objective: fsa.Objective{Custom: counted{link: loss.Exp}}}))
	p, err := m.PredictDataset(background, d)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Values() {
		if want := math.Exp(p.Decision[i]); math.Abs(v-want) > 1e-12*want {
			t.Fatalf("row %d: prediction %v, want %v", i, v, want)
		}
	}
	got, err := p.Measures(d.Target)
	if err != nil {
		t.Fatal(err)
	}
	if want := m.Training().Metrics["rmse"]; math.Abs(got["rmse"]-want) > 1e-9 || got["r2"] <= 0 {
		t.Errorf("measures %v, want the RMSE %v of the training", got, want)
	}
	if _, has := got["deviance"]; has {
		t.Error("the deviance of a loss of the caller is unknown")
	}
	var sql bytes.Buffer
	if err := export.Write(&sql, m, export.Options{To: "sql"}); err != nil || !strings.Contains(strings.ToLower(sql.String()), "exp(") {
		t.Errorf("sql without an exponential: %v\n%s", err, sql.String())
	}
	if low, high, err := m.Intervals(p, 0.9); err != nil || slices.Min(low) < 0 || slices.Max(high) <= 0 {
		t.Errorf("intervals: %v", err)
	}
}

// A link of the caller is lost in a file: the model says so, until it gets the loss again.
func TestOwnLink(t *testing.T) {
	d := made(t, synth.Config{N: 200, M: 20, K: 2, Seed: 3})
	m := fit(t, d, fsa.Options{K: 2, Bins: fsa.None, Objective: fsa.Objective{Custom: Probit{}}})
	p, err := m.PredictDataset(background, d)
	if err != nil {
		t.Fatal(err)
	}
	values := p.Values()
	if slices.Min(values) < 0 || slices.Max(values) > 1 || m.Link() != loss.Own {
		t.Errorf("link %q predicts from %v to %v", m.Link(), slices.Min(values), slices.Max(values))
	}
	for what, of := range map[string]map[string]float64{"training": m.Training().Metrics, "validation": m.Validation().Metrics} {
		if v, has := of["misses"]; !has || v > 0.3 || of["rmse"] > 0.5 {
			t.Errorf("%s: %v", what, of)
		}
	}
	read := saved(t, m)
	unknown, err := read.PredictDataset(background, d)
	if err != nil {
		t.Fatal(err)
	}
	if unknown.Values() != nil || !slices.Equal(unknown.Decision, p.Decision) {
		t.Error("a model from a file predicts without its link")
	}
	if got, err := unknown.Measures(d.Target); err != nil || len(got) != 0 {
		t.Errorf("a model from a file measures %v, %v", got, err)
	}
	if _, _, err := read.Intervals(unknown, 0.9); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("intervals without a link: %v", err)
	}
	if err := read.CheckLink(); !errors.Is(err, fsa.ErrOptions) || m.CheckLink() != nil {
		t.Errorf("the link of a file: %v", err)
	}
	for _, to := range export.Formats() {
		if err := export.Write(io.Discard, read, export.Options{To: to}); errors.Is(err, export.ErrLink) != (to != "json") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if _, err := read.WithLoss(loss.Squared{}); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("another loss: %v", err)
	}
	again, err := read.WithLoss(Probit{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := again.PredictDataset(background, d); err != nil || !slices.Equal(p.Values(), values) {
		t.Errorf("a model with its loss predicts otherwise: %v", err)
	}
}

func TestOwnLinkIsChecked(t *testing.T) {
	d := counts(t)
	for name, l := range map[string]loss.Loss{
		"softmax": counted{link: loss.Softmax}, "own without Inverse": counted{link: loss.Own}, "known measure": named{names: []string{"rmse"}},
		"nameless": named{names: []string{""}}, "underscore": named{names: []string{"a_b"}}, "twice": named{names: []string{"a", "a"}},
	} {
		if _, err := fsa.Fit(background, d, fsa.Options{K: 2, Objective: fsa.Objective{Custom: l}}); !errors.Is(err, fsa.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := fsa.Fit(background, d, fsa.Options{K: 2, Objective: fsa.Objective{Custom: loss.Squared{}}, Validation: fsa.Validation{Measure: "nothing"}}); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("an unknown measure: %v", err)
	}
}
