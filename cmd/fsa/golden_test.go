package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
	"fsa/model"
)

var update = flag.Bool("update", false, "write the golden models anew")

// goldenTables are small tables of every kind, the same in every run.
var goldenTables = map[string]func() string{
	"numbers.csv": func() string { return csvTable(11, 240, 40, nil, "number") },
	"classes.csv": func() string { return csvTable(12, 260, 30, nil, "binary") },
	"many.csv":    func() string { return csvTable(13, 3000, 25, nil, "binary") },
	"long.csv":    func() string { return csvTable(14, 2600, 20, nil, "number") },
	"mixed.csv":   func() string { return csvTable(15, 300, 12, []int{3, 12, 40}, "number") },
	"species.csv": func() string { return csvTable(16, 240, 18, []int{4}, "class") },
	"wide.csv":    func() string { return csvTable(17, 60, 300, nil, "noise") },
	"rank.svm":    func() string { return svmTable(18, 300, 30, 10, true) },
	"words.svm":   func() string { return svmTable(19, 400, 900, 25, false) },
	"groups.txt":  func() string { return "x0,x3\nx4,x5,x6\n" },
}

// csvTable returns a table whose target is column y. Some cells are missing. Texts lists the number
// of categories of each text column.
func csvTable(seed uint64, rows, numbers int, texts []int, response string) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for j := range numbers {
		fmt.Fprintf(&b, "x%d,", j)
	}
	for j := range texts {
		fmt.Fprintf(&b, "t%d,", j)
	}
	b.WriteString("w,y\n")
	for range rows {
		shared, z := rng.NormFloat64(), 0.0
		for j := range numbers {
			x := rng.NormFloat64() + 0.5*shared
			switch j {
			case 2:
				z += 1.5 * x
			case 5:
				z -= x
			case 7:
				z += 0.8 * math.Abs(x)
			}
			if texts != nil && j%5 == 4 && rng.IntN(12) == 0 {
				b.WriteString(",")
				continue
			}
			fmt.Fprintf(&b, "%.4f,", x*float64(1+j%3)+float64(10*(j%4)))
		}
		for t, levels := range texts {
			level := rng.IntN(levels)
			if t == 0 {
				z += float64(level) - 1
			}
			fmt.Fprintf(&b, "c%d,", level)
		}
		fmt.Fprintf(&b, "%.2f,", 0.5+rng.Float64())
		z += 0.7 * rng.NormFloat64()
		switch response {
		case "noise":
			z = rng.NormFloat64()
			fmt.Fprintf(&b, "%.4f\n", z)
		case "number":
			fmt.Fprintf(&b, "%.4f\n", z)
		case "binary":
			fmt.Fprintf(&b, "%s\n", map[bool]string{false: "no", true: "yes"}[z > 0.8])
		case "class":
			fmt.Fprintf(&b, "%s\n", []string{"a", "b", "c"}[min(max(int(z+1), 0), 2)])
		}
	}
	return b.String()
}

// svmTable returns sparse rows, with queries or with classes.
func svmTable(seed uint64, rows, cols, cells int, queries bool) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for i := range rows {
		at, z := 0, 0.3*rng.NormFloat64()
		var row strings.Builder
		for range cells {
			if at += 1 + rng.IntN(max(cols/cells*2-1, 1)); at > cols {
				break
			}
			x := float64(1 + rng.IntN(4))
			if at%11 == 3 {
				z += x / 2 * float64(1-2*(at%2))
			}
			fmt.Fprintf(&row, " %d:%g", at, x)
		}
		if queries {
			fmt.Fprintf(&b, "%d qid:%d%s\n", min(max(int(z+1), 0), 3), i/12, row.String())
		} else {
			fmt.Fprintf(&b, "%+d%s\n", map[bool]int{false: -1, true: 1}[z > 0], row.String())
		}
	}
	return b.String()
}

// goldenFits are fits of these tables that go through every stage and storage. In arguments, the
// name of a golden table stands for its path.
var goldenFits = map[string]string{
	"regression":  "numbers.csv --target y --drop w -k 5",
	"logistic":    "classes.csv --target y --drop w -k 4",
	"svm":         "classes.csv --target y --drop w -k 4 --loss svm",
	"lorenz":      "classes.csv --target y --drop w -k 4 --loss lorenz",
	"weights":     "classes.csv --target y --weights w -k 3 --class-weights balanced",
	"minibatch":   "many.csv --target y --drop w -k 4",
	"batches":     "long.csv --target y --drop w -k 4 --batch 100 --epochs 40",
	"polish":      "long.csv --target y --drop w -k 3 --polish",
	"bfloat16":    "long.csv --target y --drop w -k 3 --storage bfloat16",
	"int8":        "many.csv --target y --drop w -k 3 --storage int8",
	"mixed":       "mixed.csv --target y --drop w -k 5",
	"curves":      "mixed.csv --target y --drop w -k 4 --bins 4",
	"even":        "numbers.csv --target y --drop w -k 3 --bins 3 --spacing even --smooth 0.01 --variation 0.001",
	"multinomial": "species.csv --target y --drop w -k 4",
	"classcurves": "species.csv --target y --drop w -k 3 --bins 3",
	"overfitting": "wide.csv --target y --drop w -k 6",
	"rank":        "rank.svm -k 4",
	"rankcurves":  "rank.svm -k 4 --bins 3",
	"words":       "words.svm -k 10",
	"wordslorenz": "words.svm -k 10 --loss lorenz --scale common",
	"grouped":     "numbers.csv --target y --drop w -k 3 --groups groups.txt --force x7",
	"plain":       "numbers.csv --target y --drop w -k 4 --eta 0.05 --momentum 0 --epochs 60 --mu 20 --scale none --tolerance 0.001",
	"l1":          "numbers.csv --target y --drop w -k 4 --method l1",
	"logitboost":  "classes.csv --target y --drop w -k 4 --method logitboost",
}

// TestGoldenModels fits small tables and compares their models, to the last byte, with the models
// in testdata. A change that is meant to change models rewrites them with -update and says why.
func TestGoldenModels(t *testing.T) {
	// Other processors may fuse products, which changes the last bits.
	need.System(t, runtime.GOARCH == "amd64", "amd64, which the golden models were made on")
	dir := t.TempDir()
	paths := []string{}
	for name, table := range goldenTables {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(table()), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, name, path)
	}
	inDir := strings.NewReplacer(paths...)
	for name, args := range goldenFits {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "logistic", "minibatch", "int8", "mixed", "curves", "multinomial", "rank", "words", "grouped", "l1")
			out := t.TempDir()
			words := strings.Fields(inDir.Replace(args))
			if !slices.Contains(words, "--method") {
				words = append(words, "--quick")
			}
			must(t, append([]string{"fit", "--out", out}, words...)...)
			got, err := os.ReadFile(filepath.Join(out, modelName))
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "models", name+".json")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := says(t, got), says(t, want); !bytes.Equal(got, want) {
				t.Errorf("the model says\n%s\nwhere the golden one says\n%s", got, want)
			}
		})
	}
}

// says returns the contents of a model file without its head, with the keys of today's version.
func says(t *testing.T, file []byte) []byte {
	t.Helper()
	m, err := model.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var now bytes.Buffer
	if _, err := m.WriteTo(&now); err != nil {
		t.Fatal(err)
	}
	var v struct{ Model json.RawMessage }
	if err := json.Unmarshal(now.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v.Model
}
