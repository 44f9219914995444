package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fsa"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
	"fsa/internal/need"
)

// workers lets the given number of services fit together, and returns their last answers. Every
// worker has some rows of the sample, in no order. Change may change the request and the rows of a
// worker.
func workers(t *testing.T, n int, change func(rank int, request map[string]any, rows *bytes.Buffer)) []map[string]any {
	t.Helper()
	x, y := sample(true)
	last, at, services := make([]map[string]any, n), make([]string, n), make([]*client, n)
	ports := make([]any, n)
	for rank := range n {
		services[rank] = start(t)
		services[rank].send(map[string]any{"id": 1, "op": "listen", "host": "127.0.0.1"})
		ports[rank] = services[rank].last(1)["port"]
		at[rank] = fmt.Sprintf("127.0.0.1:%.0f", ports[rank])
	}
	var wait sync.WaitGroup
	for rank := range n {
		var b bytes.Buffer
		for j := range cols {
			fmt.Fprintf(&b, "v%d,", j)
		}
		b.WriteString("y,place\n")
		for i := rows - 1; i >= 0; i-- {
			if (7*i+i/9)%n != rank {
				continue
			}
			for _, v := range x[i*cols : (i+1)*cols] {
				b.WriteString(strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "NaN", "", 1) + ",")
			}
			partition, position := 0, i
			if i >= 20 { // the first partition has 20 rows
				partition, position = 3, i-20
			}
			fmt.Fprintln(&b, strconv.FormatFloat(y[i], 'g', -1, 64)+","+strconv.Itoa(partition<<33+position))
		}
		path := filepath.Join(t.TempDir(), "rows.csv")
		r := map[string]any{
			"id": 5, "op": "fit", "worker": map[string]any{"rank": rank, "size": n, "at": at, "port": ports[rank], "token": "what only these workers know"},
			"table":   map[string]any{"path": map[string]any{"path": path, "target": "y", "order": "place"}},
			"options": map[string]any{"k": 2, "loss": "squared", "quick": true, "iterations": 30},
		}
		if change != nil {
			change(rank, r, &b)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			services[rank].send(r)
			last[rank] = services[rank].last(5)
		})
	}
	wait.Wait()
	return last
}

// TestWorkers expects any number of workers to train the same model, to the last byte, and the
// first one to report it.
func TestWorkers(t *testing.T) {
	var want any
	for _, n := range []int{1, 2, 3, 5} {
		all := workers(t, n, nil)
		for rank, a := range all {
			if a["event"] != "done" || rank > 0 && a["model"] != "" {
				t.Fatalf("worker %d of %d: %v", rank, n, a)
			}
		}
		if want == nil {
			if want = all[0]["model"]; !strings.Contains(want.(string), `"v1"`) || !strings.Contains(want.(string), `"v5"`) {
				t.Errorf("the model is %v", want)
			}
		}
		if all[0]["model"] != want {
			t.Errorf("%d workers learn another model", n)
		}
	}
}

// addColumn adds a column to the rows of a worker. Cell gets the number of the row in the whole table.
func addColumn(b *bytes.Buffer, name string, cell func(row int) string) {
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	b.Reset()
	fmt.Fprintf(b, "%s,%s\n", name, lines[0])
	for _, line := range lines[1:] {
		order, _ := strconv.Atoi(line[strings.LastIndex(line, ",")+1:])
		row := order
		if order >= 1<<33 {
			row = order%(1<<33) + 20
		}
		fmt.Fprintf(b, "%s,%s\n", cell(row), line)
	}
}

// TestWorkersKinds expects any number of workers to train the same model, to the last byte, of curves, texts and
// dates, groups of columns, groups of rows and other storages, with and without validation.
func TestWorkersKinds(t *testing.T) {
	town := func(row int) string { return []string{"Ulm", "", "Bonn", "Köln", "Aachen"}[row*row%11%5] }
	option := func(name string, value any) func(map[string]any, *bytes.Buffer) {
		return func(r map[string]any, _ *bytes.Buffer) { r["options"].(map[string]any)[name] = value }
	}
	column := func(name string, cell func(int) string) func(map[string]any, *bytes.Buffer) {
		return func(_ map[string]any, b *bytes.Buffer) { addColumn(b, name, cell) }
	}
	for name, c := range map[string]struct {
		changes []func(map[string]any, *bytes.Buffer)
		want    string
	}{
		"bins":           {[]func(map[string]any, *bytes.Buffer){option("bins", 3)}, `"knots"`},
		"validated bins": {[]func(map[string]any, *bytes.Buffer){option("bins", 3), option("quick", false), option("folds", 3)}, `"validation"`},
		"texts":          {[]func(map[string]any, *bytes.Buffer){column("town", town), option("force", []string{"town"})}, `"Köln"`},
		"validated":      {[]func(map[string]any, *bytes.Buffer){column("town", town), option("force", []string{"town"}), option("k", 0), option("quick", false), option("folds", 3)}, `"Köln"`},
		"dates": {[]func(map[string]any, *bytes.Buffer){column("day", func(row int) string {
			return fmt.Sprintf("2024-%02d-%02d", 1+row%12, 1+row%28)
		}), option("force", []string{"day"}), option("k", 4)}, `"month"`},
		"groups":  {[]func(map[string]any, *bytes.Buffer){option("groups", [][]string{{"v0", "v5"}, {"v7", "v1"}})}, `"v7"`},
		"storage": {[]func(map[string]any, *bytes.Buffer){option("storage", "int8")}, `"int8"`},
		"patients": {[]func(map[string]any, *bytes.Buffer){column("patient", func(row int) string { return "p" + strconv.Itoa(row/4%20) }), option("quick", false), option("folds", 3), func(r map[string]any, _ *bytes.Buffer) {
			r["table"].(map[string]any)["path"].(map[string]any)["group"] = "patient"
		}}, `"columns":8,`},
	} {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "validated", "groups")
			var want any
			for _, n := range []int{1, 2, 5} {
				all := workers(t, n, func(_ int, r map[string]any, b *bytes.Buffer) {
					for _, change := range c.changes {
						change(r, b)
					}
					if n == 1 {
						want = onOneGrid(t, r, b.String())
					}
				})
				for rank, a := range all {
					if a["event"] != "done" {
						t.Fatalf("worker %d of %d: %v", rank, n, a)
					}
				}
				if !strings.Contains(want.(string), c.want) {
					t.Errorf("there is no %s in the model %v", c.want, want)
				}
				if all[0]["model"] != want {
					t.Errorf("%d workers learn another model\n%v\n%v", n, all[0]["model"], want)
				}
			}
		})
	}
}

// onOneGrid returns the model of a grid of one process that reads the rows from a file, in their order.
func onOneGrid(t *testing.T, r map[string]any, rows string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(rows), "\n")
	for i, line := range lines {
		lines[i] = line[:strings.LastIndex(line, ",")]
	}
	slices.Reverse(lines[1:])
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var given options
	said, err := json.Marshal(r["options"])
	if err == nil {
		err = json.Unmarshal(said, &given)
	}
	if err != nil {
		t.Fatal(err)
	}
	o := given.plain()
	group, _ := r["table"].(map[string]any)["path"].(map[string]any)["group"].(string)
	table, err := part.Survey(t.Context(), path, open.Options{}, open.Roles{Target: "y", Group: group})
	if err == nil {
		err = table.Together(o.Selection.Groups)
	}
	if err != nil {
		t.Fatal(err)
	}
	g, err := grid.New(collective.Single{}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.Read(t.Context(), g, func(err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	model, err := text(m)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// TestWorkersFail expects a failing worker to fail all of them, with its name and the kind of
// error.
func TestWorkersFail(t *testing.T) {
	for name, c := range map[string]struct {
		change func(rank int, request map[string]any, rows *bytes.Buffer)
		kind   string
		want   string
	}{
		"options": {func(rank int, r map[string]any, _ *bytes.Buffer) {
			r["options"].(map[string]any)["ridge"] = rank
		}, "failed", "install the same version"},
		"table": {func(rank int, _ map[string]any, rows *bytes.Buffer) {
			if rank == 1 {
				rows.WriteString("1,2,x\n")
			}
		}, "data", "worker 1 of 2 on "},
		"twice": {func(rank int, _ map[string]any, rows *bytes.Buffer) {
			if rank == 0 {
				rows.WriteString("1,1,1,1,1,1,1,1,1,0\n")
			}
		}, "data", "occurs twice"},
		"gap": {func(rank int, _ map[string]any, rows *bytes.Buffer) {
			if rank == 0 {
				rows.WriteString("1,1,1,1,1,1,1,1,1,90000\n")
			}
		}, "data", "a row is missing"},
		"order": {func(rank int, _ map[string]any, rows *bytes.Buffer) {
			if rank == 0 {
				rows.WriteString("1,1,1,1,1,1,1,1,1,-1\n")
			}
		}, "data", "is not an integer"},
		"stability": {func(_ int, r map[string]any, _ *bytes.Buffer) { r["stability"] = 3 }, "options", "stability"},
		"kinds": {func(rank int, _ map[string]any, rows *bytes.Buffer) {
			addColumn(rows, "town", func(int) string { return []string{"Ulm", "5"}[rank] })
		}, "data", "the same columns of the same kinds"},
		"few patients": {func(rank int, r map[string]any, rows *bytes.Buffer) {
			addColumn(rows, "patient", func(row int) string { return "p" + strconv.Itoa(row%2) })
			r["table"].(map[string]any)["path"].(map[string]any)["group"] = "patient"
			r["options"].(map[string]any)["quick"], r["options"].(map[string]any)["folds"] = false, 3
		}, "data", "2 groups cannot be divided into 3 parts"},
		"grouped text": {func(_ int, r map[string]any, rows *bytes.Buffer) {
			addColumn(rows, "town", func(int) string { return "Ulm" })
			r["options"].(map[string]any)["groups"] = [][]string{{"town", "v1"}}
		}, "data", "leave it out of the groups"},
		"arrays": {func(_ int, r map[string]any, _ *bytes.Buffer) { r["table"] = map[string]any{} }, "protocol", "in a file"},
	} {
		t.Run(name, func(t *testing.T) {
			for rank, a := range workers(t, 2, c.change) {
				if a["event"] != "error" || a["kind"] != c.kind || !strings.Contains(a["message"].(string), c.want) {
					t.Errorf("worker %d: %v, want %s", rank, a, c.want)
				}
			}
		})
	}
}

// TestWorkerAlone expects an error for a worker whose port or place does not exist, and stops one
// that waits for others.
func TestWorkerAlone(t *testing.T) {
	c := start(t)
	c.send(map[string]any{"id": 1, "op": "fit", "worker": map[string]any{"rank": 0, "size": 1, "port": 1}})
	if a := c.last(1); a["kind"] != "protocol" {
		t.Errorf("%v", a)
	}
	for id, rank := range map[int64]int{2: 2, 3: 1} {
		c.send(map[string]any{"id": id, "op": "listen", "host": "127.0.0.1"})
		port := c.last(id)["port"]
		at := fmt.Sprintf("127.0.0.1:%.0f", port)
		c.send(map[string]any{"id": id, "op": "fit", "worker": map[string]any{"rank": rank, "size": 2, "port": port, "at": []string{at, at}, "token": "what only these workers know"}})
		want := "protocol"
		if rank == 1 {
			want = "cancelled"
			c.send(map[string]any{"id": id, "op": "cancel"})
		}
		if a := c.last(id); a["kind"] != want {
			t.Errorf("%v, want %s", a, want)
		}
	}
}
