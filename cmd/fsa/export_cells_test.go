package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fsa/internal/need"
	"fsa/model"
)

// rawColumn is a column of a table as it is imported: its cells are texts.
type rawColumn struct {
	name  string
	cell  func(rng *rand.Rand) string // of training
	other []string                    // further cells, of new rows
	// types are the types that a column in a database may have, and typed returns the value that the
	// column then has for a cell. Engines read no other cells of the column; nil if they can read
	// all.
	types map[string]string
	typed func(cell string) string
	// odd are cells that an engine reads only in such a column.
	odd []string
}

func numbered(types string) map[string]string {
	return map[string]string{"sqlite": "REAL", "duckdb": types}
}

// rawColumns returns columns of every kind. One has the name of a part of another.
var rawColumns = []rawColumn{
	{
		name: "plain", cell: func(rng *rand.Rand) string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 5, 64) },
		other: []string{"", "NA", "n/a", "NaN", "null", "?", "-", "none", "unknown", "1e3", "+2", "-0", ".5", "5.", "1e400", "1_000", "inf", "1,5", "$5", "3 %", "(1)", "abc", "0x10", "--1", "1 2", "1e"},
		types: numbered("DOUBLE"),
	},
	{
		name: "gaps", cell: func(rng *rand.Rand) string {
			if rng.IntN(30) == 0 {
				return "refused"
			}
			return strconv.Itoa(rng.IntN(100))
		},
		other: []string{"", "refused", "Refused", "NA", "7", "x"}, types: numbered("DOUBLE"),
	},
	{
		name: "price", cell: func(rng *rand.Rand) string { return fmt.Sprintf("$%.2f", 100*rng.Float64()) },
		other: []string{"", "NA", "17.25", "-$3.00", "($4.00)", "€5.00"},
		types: numbered("DOUBLE"), typed: func(cell string) string {
			cell = strings.NewReplacer("$", "", "€", "").Replace(cell)
			if inner, ok := strings.CutPrefix(cell, "("); ok {
				return "-" + strings.TrimSuffix(inner, ")")
			}
			return cell
		},
	},
	{
		name: "euro", cell: func(rng *rand.Rand) string {
			v := rng.IntN(300000)
			return fmt.Sprintf("%d.%03d,%02d", 1+v/1000, v%1000, v%100)
		},
		other: []string{"", "NA", "1.037", "5,5", "17"},
		types: numbered("DOUBLE"), typed: func(cell string) string { return strings.NewReplacer(".", "", ",", ".").Replace(cell) },
	},
	{
		name: "member", cell: func(rng *rand.Rand) string { return []string{"yes", "no", "Yes", "NO"}[rng.IntN(4)] },
		other: []string{"", "NA", "Y", "N", "TRUE", "false", "yEs", "SÍ", "Não", "wahr", "1", "0", "maybe", "on"},
	},
	{
		name: "colour", cell: func(rng *rand.Rand) string { return []string{"red", "Red", "it's", "größer", "a\"b"}[rng.IntN(5)] },
		other: []string{"", "NA", "RED", "blue", "'; DROP TABLE data; --"},
	},
	{
		name: "zip", cell: func(rng *rand.Rand) string { return strconv.Itoa(10 + rng.IntN(5)) },
		other: []string{"", "NA", "99"}, types: numbered("DOUBLE"),
	},
	{
		name: "when", cell: func(rng *rand.Rand) string {
			return time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(2000)).Format(time.DateOnly)
		},
		other: []string{"", "NA", "2024-02-29", "2023-02-29", "2023-02-31", "1999-12-31", "2024-13-01", "2024-1-5", "soon", "0999-01-01", "20240101"}, odd: []string{"2024-1-5"},
		types: map[string]string{"sqlite": "TEXT", "duckdb": "DATE"},
	},
	{
		name: "when.month", cell: func(rng *rand.Rand) string { return []string{"Jan", "Feb", "Mar"}[rng.IntN(3)] },
		other: []string{"", "Apr"},
	},
	{
		name: "at", cell: func(rng *rand.Rand) string {
			return time.Date(2019, 1, 1, 0, 0, rng.IntN(6e7), 0, time.UTC).Format("02.01.2006 15:04:05")
		},
		other: []string{"", "NA", "31.12.2023 23:59:58"},
		types: map[string]string{"sqlite": "TEXT", "duckdb": "TIMESTAMP"}, typed: func(cell string) string {
			if t, err := time.Parse("02.01.2006 15:04:05", cell); err == nil {
				return t.Format("2006-01-02T15:04:05")
			}
			return cell
		},
	},
	{
		name: "clock", cell: func(rng *rand.Rand) string { return fmt.Sprintf("%02d:%02d", rng.IntN(24), rng.IntN(60)) },
		other: []string{"", "NA", "23:59", "00:00", "24:00", "9:30", "12:60", "noon"}, odd: []string{"9:30"},
		types: map[string]string{"sqlite": "TEXT", "duckdb": "TIME"},
	},
}

// TestEngineCells compares the predictions of exported models for cells as they are in a table, and
// for cells in columns of other types, with the predictions of fsa predict.
func TestEngineCells(t *testing.T) {
	need.Long(t)
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, 0))
	names := make([]string, len(rawColumns))
	for j, c := range rawColumns {
		names[j] = c.name
	}
	train := [][]string{append(slices.Clone(names), "y")}
	for range 1500 {
		row, y := make([]string, len(rawColumns)), 0.0
		for j, c := range rawColumns {
			row[j] = c.cell(rng)
			if rng.IntN(25) == 0 {
				row[j] = ""
			}
			for at, b := range []byte(row[j]) { // every value of a cell has an effect
				y += math.Sin(float64(j+1)*float64(b)+float64(at)) / 3
			}
			if row[j] == "" {
				y += 2
			}
		}
		train = append(train, append(row, strconv.FormatFloat(y, 'g', 6, 64)))
	}
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", file(t, "train.csv", asCSV(t, train)), "--target", "y", "-k", strconv.Itoa(len(rawColumns)), "--categorical", "zip", "--out", run)
	compareCells(t, rng, run, 1000)
}

// TestEngineCellsOfPairs is [TestEngineCells] for pairs of numbers, and of numbers and texts.
func TestEngineCellsOfPairs(t *testing.T) {
	need.Long(t)
	const seed = 10
	rng := rand.New(rand.NewPCG(seed, 0))
	var names []string
	for _, c := range rawColumns {
		names = append(names, c.name)
	}
	value := func(row []string, name string, mean, sd float64) float64 {
		cell := row[slices.Index(names, name)]
		if at, err := time.Parse(time.DateOnly, cell); err == nil {
			cell = strconv.Itoa(at.YearDay() + 365*at.Year())
		}
		x, err := strconv.ParseFloat(strings.NewReplacer("$", "", ".", map[bool]string{true: "", false: "."}[name == "euro"], ",", ".").Replace(cell), 64)
		if err != nil {
			return 0
		}
		return (x - mean) / sd
	}
	text := func(row []string, name string, signs map[string]float64) float64 {
		return signs[row[slices.Index(names, name)]]
	}
	train := [][]string{append(slices.Clone(names), "y")}
	for range 1500 {
		row := make([]string, len(rawColumns))
		for j, c := range rawColumns {
			if row[j] = c.cell(rng); rng.IntN(25) == 0 {
				row[j] = ""
			}
		}
		y := value(row, "plain", 0, 1)*value(row, "gaps", 50, 29) + rng.NormFloat64()/2 +
			value(row, "price", 50, 29)*text(row, "member", map[string]float64{"yes": 1, "Yes": 1, "no": -1, "NO": -1}) +
			value(row, "euro", 150500, 87000)*text(row, "zip", map[string]float64{"10": -1, "11": 1, "12": 2}) +
			value(row, "when", 365*2021+270, 577)*text(row, "colour", map[string]float64{"red": 1, "Red": -1, "größer": 2, "it's": -2})
		train = append(train, append(row, strconv.FormatFloat(y, 'g', 6, 64)))
	}
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", file(t, "train.csv", asCSV(t, train)), "--target", "y", "-k", "6", "--categorical", "zip", "--interactions", "--heredity", "none", "--out", run)
	m, err := model.Load(filepath.Join(run, "model.json"))
	if err != nil || len(m.Interactions()) < 4 {
		t.Fatalf("%d pairs, %v", len(m.Interactions()), err)
	}
	compareCells(t, rng, run, 300)
}

// compareCells compares the predictions of the exported models of a run with those of fsa predict, for new rows of rawColumns.
func compareCells(t *testing.T, rng *rand.Rand, run string, size int) {
	python := filepath.Join(need.Variable(t, "FSA_ENGINES", "run scripts/engines/setup.sh DIR, and set it to DIR"), "bin", "python")
	names := make([]string, len(rawColumns))
	for j, c := range rawColumns {
		names[j] = c.name
	}
	// New rows: some with odd cells, then those that can be read anywhere.
	readable := size * 7 / 10
	var rows [][]string
	for i := range size {
		row := make([]string, len(rawColumns))
		for j, c := range rawColumns {
			if row[j] = c.cell(rng); rng.IntN(6) == 0 && i < readable {
				row[j] = c.other[rng.IntN(len(c.other))]
			}
		}
		rows = append(rows, row)
	}
	want := make([]float64, len(rows)) // NaN where predict refuses
	refused := 0
	for i, row := range rows {
		want[i] = math.NaN()
		code, stdout, stderr := call(t, "predict", run, file(t, "row.csv", asCSV(t, [][]string{names, row})))
		switch {
		case code == exitBadData:
			refused++
		case code != exitDone:
			t.Fatalf("%q: exit code %d, %s", row, code, stderr)
		default:
			want[i], _ = strconv.ParseFloat(strings.Fields(stdout)[1], 64)
		}
	}
	t.Logf("%d of %d rows are refused", refused, len(rows))

	for _, engine := range []string{"sqlite", "duckdb", "python"} {
		for _, as := range []string{"raw", "texts", "typed"} {
			if engine == "python" && as == "typed" {
				continue // it is a mapping, without types
			}
			t.Run(engine+" "+as, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "scorer.py")
				if engine == "python" {
					must(t, "export", run, "--to", "python", "--out", out)
				} else {
					must(t, "export", run, "--to", "sql", "--dialect", engine, "--out", out)
				}
				first := 0
				if as == "typed" {
					first = readable
				}
				got := runCells(t, python, engine, out, as, rows[first:])
				same, none := 0, 0
				for i, g := range got {
					switch row, w := rows[first+i], want[first+i]; {
					case g == nil && (math.IsNaN(w) || slices.ContainsFunc(rawColumns, func(c rawColumn) bool { return c.mayRefuse(row[slices.Index(names, c.name)], engine, as) })):
						none++
					case g == nil:
						t.Errorf("row %d %q: no prediction, want %v", i, row, w)
					case math.IsNaN(w):
						t.Errorf("row %d %q: %v, but fsa predict refuses it", i, row, *g)
					case !(math.Abs(*g-w) <= 1e-9*max(1, math.Abs(w))):
						t.Errorf("row %d %q: %v, want %v", i, row, *g, w)
					default:
						same++
					}
				}
				t.Logf("%d predictions are the same, %d rows have none", same, none)
				if as != "raw" && same < len(got)/3 {
					t.Errorf("%d of %d predictions are the same", same, len(got))
				}
			})
		}
	}
}

// mayRefuse reports whether an exported model need not read a cell that fsa predict may read.
func (c *rawColumn) mayRefuse(cell, engine, as string) bool {
	if engine == "python" && c.name != "price" && c.name != "euro" {
		return false
	}
	return slices.Contains(c.odd, cell) || as == "raw" && c.typed != nil && !slices.Contains(absent, cell)
}

// absent are the cells that are null in columns with a type.
var absent = []string{"", "NA", "refused"}

func asCSV(t *testing.T, rows [][]string) string {
	t.Helper()
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// runCells returns the predictions of an engine, nil if the machine does not have it. Columns hold
// texts as in a CSV; in a table "texts", those that need a type have it, and in a table "typed",
// all that can have one.
func runCells(t *testing.T, python, engine, path, as string, rows [][]string) []*float64 {
	t.Helper()
	type column struct {
		Name    string         `json:"name"`
		Texts   []*string      `json:"texts"`
		Numbers []*json.Number `json:"numbers"`
		Type    string         `json:"type,omitempty"`
	}
	job := struct {
		Engine  string   `json:"engine"`
		File    string   `json:"file"`
		Rows    int      `json:"rows"`
		Columns []column `json:"columns"`
	}{Engine: engine, File: path, Rows: len(rows)}
	for j, c := range rawColumns {
		out := column{Name: c.name}
		if as == "typed" || as == "texts" && c.typed != nil {
			out.Type = c.types[engine]
		}
		number := engine == "python" && as == "texts" && c.types["sqlite"] == "REAL" && c.typed != nil
		for _, row := range rows {
			cell := &row[j]
			switch {
			case number && slices.Contains(absent, *cell):
				out.Numbers = append(out.Numbers, nil)
				continue
			case number:
				value := json.Number(strings.TrimPrefix(c.typed(*cell), "+"))
				out.Numbers = append(out.Numbers, &value)
				continue
			case out.Type != "" && slices.Contains(absent, *cell):
				cell = nil
			case out.Type != "" && c.typed != nil:
				text := c.typed(*cell)
				cell = &text
			}
			out.Texts = append(out.Texts, cell)
		}
		job.Columns = append(job.Columns, out)
	}
	input, err := json.Marshal([]any{job})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, filepath.Join("..", "..", "scripts", "engines", "run.py"))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var results []struct {
		Error string
		Rows  [][]*float64
		Dicts []struct{ Prediction *float64 }
	}
	if err := json.Unmarshal(answer, &results); err != nil || results[0].Error != "" {
		t.Fatalf("%v %s", err, results[0].Error)
	}
	var got []*float64
	for _, row := range results[0].Rows {
		got = append(got, row[0])
	}
	for _, row := range results[0].Dicts {
		got = append(got, row.Prediction)
	}
	if len(got) != len(rows) {
		t.Fatalf("%d predictions for %d rows", len(got), len(rows))
	}
	return got
}
