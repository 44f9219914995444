package fsa_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"fsa"
	"fsa/data/open"
	"fsa/model"
)

// writeTable writes a small CSV file and returns its path.
func writeTable() (path string, clean func()) {
	dir, err := os.MkdirTemp("", "fsa-example")
	if err != nil {
		panic(err)
	}
	text := "age,height,noise,weight\n"
	for i := range 300 {
		age, height, noise := 20+float64(i%50), 150+float64(i%41), math.Sin(float64(i*i))
		text += fmt.Sprintf("%g,%g,%.3f,%.2f\n", age, height, noise, 0.5*age+0.9*height-100+noise/10)
	}
	path = filepath.Join(dir, "people.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		panic(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// Read a file, fit a model, save it, load it and predict another file.
func Example() {
	ctx := context.Background()
	path, clean := writeTable()
	defer clean()

	table, err := open.Table(ctx, path, open.Options{}, open.Roles{Target: "weight"})
	if err != nil {
		panic(err)
	}
	learned, err := fsa.Fit(ctx, table, fsa.Options{K: 2})
	if err != nil {
		panic(err)
	}
	for _, v := range learned.Selected() {
		fmt.Printf("%s %.1f\n", v.Name, v.Coefficients[0])
	}
	file := filepath.Join(filepath.Dir(path), "model.json")
	if err := learned.Save(file); err != nil {
		panic(err)
	}

	m, err := model.Load(file)
	if err != nil {
		panic(err)
	}
	rows, err := open.Reader(ctx, path, open.Options{})
	if err != nil {
		panic(err)
	}
	defer rows.Close()
	p, err := m.Predict(ctx, rows)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d rows, the first %.0f\n", p.Rows(), p.Decision[0])
	// Output:
	// height 0.9
	// age 0.5
	// 300 rows, the first 45
}

// Let cross-validation choose how many variables to select.
func ExampleFit_auto() {
	ctx := context.Background()
	path, clean := writeTable()
	defer clean()
	table, err := open.Table(ctx, path, open.Options{}, open.Roles{Target: "weight"})
	if err != nil {
		panic(err)
	}
	m, err := fsa.Fit(ctx, table, fsa.Options{K: fsa.Auto})
	if err != nil {
		panic(err)
	}
	v := m.Validation()
	fmt.Printf("%d variables by %s, cross-validated R² %.2f\n", v.Chosen, v.Rule, v.Metrics["r2"])
	// Output: 3 variables by paired, cross-validated R² 1.00
}

// Print what a fit will do, and why, before it runs.
func ExamplePrepare() {
	ctx := context.Background()
	path, clean := writeTable()
	defer clean()
	table, err := open.Table(ctx, path, open.Options{}, open.Roles{Target: "weight"})
	if err != nil {
		panic(err)
	}
	job, err := fsa.Prepare(ctx, table, fsa.Options{K: 2, Objective: fsa.Objective{Ridge: fsa.None}})
	if err != nil {
		panic(err)
	}
	for _, d := range job.Plan().Decisions[:3] {
		fmt.Printf("%s: %s (%s)\n", d.Setting, d.Value, d.Why)
	}
	// Output:
	// loss: squared (the target is numeric)
	// ridge: 0 (given)
	// batch: 300 of 300 rows (few rows: every step uses all of them)
}

// Predict rows in memory, by the names of their columns.
func ExampleFit_predictRows() {
	ctx := context.Background()
	path, clean := writeTable()
	defer clean()
	table, err := open.Table(ctx, path, open.Options{}, open.Roles{Target: "weight"})
	if err != nil {
		panic(err)
	}
	m, err := fsa.Fit(ctx, table, fsa.Options{K: 2})
	if err != nil {
		panic(err)
	}
	p, err := m.PredictRows([]string{"age", "height"}, []float64{30, 160, 40, 180})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f %.0f\n", p.Decision[0], p.Decision[1])

	all, err := m.PredictDataset(ctx, table)
	if err != nil {
		panic(err)
	}
	fmt.Println(all.Rows(), "rows of the table")
	// Output:
	// 59 82
	// 300 rows of the table
}
