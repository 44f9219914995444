package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fsa/model"
)

// The intercept and the contributions of variables add up to decision values, for every kind of
// model and storage.
func TestContributions(t *testing.T) {
	dir := t.TempDir()
	for name, args := range goldenFits {
		words := strings.Fields(args)
		table := filepath.Join(dir, words[0])
		if err := os.WriteFile(table, []byte(goldenTables[words[0]]()), 0o644); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "models", name+".json")
		m, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		type predicted struct {
			Rows          int
			Decision      []float64
			Contributions struct {
				Variables       []string
				Intercept, Adds []float64
			}
		}
		p := parse[predicted](t, must(t, "predict", path, table, "--contributions", "--json"))
		c, outputs := p.Contributions, m.Outputs()
		if len(c.Variables) != len(m.Selected()) || len(c.Adds) != p.Rows*len(c.Variables)*outputs {
			t.Errorf("%s: %d contributions of %d variables to %d rows", name, len(c.Adds), len(c.Variables), p.Rows)
			continue
		}
		for i, want := range p.Decision {
			row, output := i/outputs, i%outputs
			z := c.Intercept[output]
			for k := range c.Variables {
				z += c.Adds[(row*len(c.Variables)+k)*outputs+output]
			}
			if math.Abs(z-want) > 1e-9*max(1, math.Abs(want)) {
				t.Errorf("%s: row %d has the decision value %v, contributions add up to %v", name, row, want, z)
				break
			}
		}
	}
}

// The columns after predictions are named after variables, and after classes.
func TestContributionColumns(t *testing.T) {
	dir := t.TempDir()
	for table, want := range map[string]string{
		"classes.csv": "class,decision,probability,intercept,adds_",
		"species.csv": "class,probability_a,probability_b,probability_c,intercept_a,intercept_b,intercept_c,adds_",
		"numbers.csv": "prediction,intercept,adds_",
	} {
		name := map[string]string{"classes.csv": "logistic", "species.csv": "multinomial", "numbers.csv": "regression"}[table]
		path, out := filepath.Join(dir, table), filepath.Join(dir, name+".csv")
		if err := os.WriteFile(path, []byte(goldenTables[table]()), 0o644); err != nil {
			t.Fatal(err)
		}
		must(t, "predict", filepath.Join("testdata", "models", name+".json"), path, "--contributions", "--out", out)
		rows, err := csv.NewReader(strings.NewReader(string(read(t, out)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if head := strings.Join(rows[0], ","); !strings.HasPrefix(head, want) {
			t.Errorf("%s: the columns are %s, want %s…", name, head, want)
		}
		for _, cell := range rows[1][1:] {
			if _, err := strconv.ParseFloat(cell, 64); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
