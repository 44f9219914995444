package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsa/export"
	"fsa/internal/runs"
	"fsa/model"
	"fsa/report"
)

// Interactions go from the command line through the model file to predictions, their parts, JSON and
// pictures; what cannot express them says so.
func TestInteractions(t *testing.T) {
	var s strings.Builder
	rng := rand.New(rand.NewPCG(11, 1))
	s.WriteString("a,b,c,d,e,city,y\n")
	for i := range 600 {
		x := make([]float64, 5)
		for j := range x {
			x[j] = 10 + 3*rng.NormFloat64()
		}
		city := []string{"Rome", "Oslo", "Bern"}[rng.IntN(3)]
		y := (x[0]-10)*(x[1]-10) + x[2]*map[string]float64{"Rome": 2, "Oslo": -2}[city] + rng.NormFloat64()
		a := strconv.FormatFloat(x[0], 'g', 6, 64)
		if i%50 == 0 {
			a = ""
		}
		fmt.Fprintf(&s, "%s,%.6g,%.6g,%.6g,%.6g,%s,%.6g\n", a, x[1], x[2], x[3], x[4], city, y)
	}
	train, run := file(t, "train.csv", s.String()), filepath.Join(t.TempDir(), "run")
	shown := must(t, "fit", train, "--target", "y", "-k", "6", "--interactions", "5", "--out", run, "--report")
	for _, want := range []string{"4 of 6 variables and 2 interactions", "a × b", "c × city"} {
		if !strings.Contains(shown, want) {
			t.Errorf("fit does not print %q:\n%s", want, shown)
		}
	}
	m, err := model.Load(filepath.Join(run, "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	drawn := runs.Plain(m).Interactions
	i := slices.IndexFunc(drawn, func(p report.Interaction) bool { return p.Names == [2]string{"a", "b"} })
	if i < 0 || drawn[i].At == nil || drawn[1-i].At != nil || len(drawn[1-i].Lines) < 2 {
		t.Fatalf("drawn are %+v", drawn)
	}
	corners := "a,b,c,d,e,city\n8,9,10,10,10,Rome\n8,13,10,10,10,Rome\n12,9,10,10,10,Rome\n12,13,10,10,10,Rome\n"
	predicted := strings.Fields(must(t, "predict", run, file(t, "corners.csv", corners)))
	together, at := 0.0, drawn[i].At
	for k, sign := range []float64{1, -1, -1, 1} {
		v, err := strconv.ParseFloat(predicted[len(predicted)-4+k], 64)
		if err != nil {
			t.Fatal(err)
		}
		together += sign * v
	}
	if want := at(8, 9) - at(8, 13) - at(12, 9) + at(12, 13); math.Abs(together-want) > 1e-9 || math.Abs(want) < 8 {
		t.Errorf("the picture of the pair has %v, and predictions %v", want, together)
	}
	of := parse[summary](t, must(t, "show", run, "--json"))
	if len(of.Pairs) != 2 || of.K != 6 {
		t.Fatalf("show: k = %d, interactions %v", of.K, of.Pairs)
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, "predict", run, train, "--contributions"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if head := strings.Join(rows[0], " "); !strings.Contains(head, "adds_a × b") || !strings.Contains(head, "adds_c × city") {
		t.Errorf("contributions of %s", head)
	}
	for _, row := range rows[1:] {
		var sum, prediction float64
		for k, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			if k == 0 {
				prediction = v
			} else {
				sum += v
			}
		}
		if math.Abs(sum-prediction) > 1e-9*math.Max(1, math.Abs(sum)) {
			t.Fatalf("contributions sum to %v, and the prediction is %v", sum, prediction)
		}
	}
	if json := must(t, "export", run, "--to", "json"); !strings.Contains(json, `"version":3`) || !strings.Contains(json, `"interactions":[{"variables":[{"index":`) {
		t.Error(json)
	}
	for _, to := range export.Formats() {
		must(t, "export", run, "--to", to)
	}
	refused(t, []string{"export", run, "--to", "onnx", "--matrix"}, exitUsage, `"city" holds texts`)
	refused(t, []string{"predict", run, train, "--drop", "b"}, exitUsage, "the model needs this column")
	must(t, "plot", run, "--what", "interactions", "--out", filepath.Join(t.TempDir(), "i.svg"))
	must(t, "fit", train, "--target", "y", "-k", "3", "--interactions", "--heredity", "none", "--out", run)
	if m, err := model.Load(filepath.Join(run, "model.json")); err != nil || len(m.Interactions()) < 2 || len(m.Selected()) > 1 {
		t.Errorf("without heredity: %v, %v", m.Interactions(), err)
	}
	must(t, "predict", run, train)
	for flag, want := range map[string]int{"": 2, "--interactions 0": 0, "--interactions any --bins 5": 2} { // by contest, none, and beside curves
		must(t, append([]string{"fit", train, "--target", "y", "--out", run}, strings.Fields(flag)...)...)
		if m, err := model.Load(filepath.Join(run, "model.json")); err != nil || len(m.Interactions()) != want {
			t.Errorf("%q: %d interactions, %v", flag, len(m.Interactions()), err)
		}
	}
	refused(t, []string{"fit", train, "--target", "y", "--interactions=-1"}, exitUsage, "a number of pairs")
	refused(t, []string{"fit", train, "--target", "y", "--interactions=0", "--heredity", "weak"}, exitUsage, "switched off")
	must(t, "fit", train, "--target", "y", "--interactions", "--pairs-among", "a,b,d", "--pairs-among", "[ce]", "--out", run)
	if m, err := model.Load(filepath.Join(run, "model.json")); err != nil || len(m.Interactions()) != 1 || m.Interactions()[0].Name() != "a × b" {
		t.Errorf("among two sets: %v, %v", m.Interactions(), err)
	}
	refused(t, []string{"fit", train, "--target", "y", "--pairs-among", "a,,b"}, exitUsage, "names separated by commas")
	refused(t, []string{"fit", train, "--target", "y", "--pairs-among", "a,z"}, exitUsage, `no variable "z"`)
	refused(t, []string{"fit", train, "--target", "y", "--pairs-among", "a,b", "-k", "3"}, exitUsage, "ask for interactions")
	refused(t, []string{"fit", train, "--target", "y", "--heredity", "weak"}, exitUsage, "ask for interactions")
	refused(t, []string{"fit", train, "--target", "city", "--interactions"}, exitUsage, "one decision value per row")
	sparse := file(t, "t.svm", "1 1:1 3:2\n-1 2:1\n1 1:2 3:1\n-1 2:2 4:1\n")
	refused(t, []string{"fit", sparse, "-k", "1", "--interactions"}, exitUsage, "sparse")
}
