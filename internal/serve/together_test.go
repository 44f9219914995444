package serve

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fsa/internal/collective"
)

// workers lets so many services fit together, each with its rows of the sample, and returns their last
// answers. Change may change the request and the rows of one of them.
func workers(t *testing.T, n int, change func(rank int, request map[string]any, rows *bytes.Buffer)) []map[string]any {
	t.Helper()
	c := start(t)
	c.send(map[string]any{"id": 1, "op": "parts", "table": map[string]any{"rows": rows}, "workers": n})
	parts := c.last(1)["parts"].([]any)
	if len(parts) != n+1 {
		t.Fatalf("parts of %d workers: %v", n, parts)
	}
	x, y := sample(true)
	last := make([]map[string]any, n)
	var wait sync.WaitGroup
	for rank, job := range collective.Group(n) {
		var b bytes.Buffer
		for j := range cols {
			fmt.Fprintf(&b, "v%d,", j)
		}
		b.WriteString("y\n")
		for i := int(parts[rank].(float64)); i < int(parts[rank+1].(float64)); i++ {
			for _, v := range x[i*cols : (i+1)*cols] {
				b.WriteString(strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "NaN", "", 1) + ",")
			}
			fmt.Fprintln(&b, y[i])
		}
		path := filepath.Join(t.TempDir(), "rows.csv")
		r := map[string]any{
			"id": 5, "op": "fit", "worker": map[string]any{"rank": rank, "size": n}, "table": map[string]any{"path": map[string]any{"path": path, "target": "y"}},
			"options": map[string]any{"k": 2, "loss": "squared", "quick": true, "iterations": 30},
		}
		if change != nil {
			change(rank, r, &b)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		one := start(t)
		wait.Go(func() {
			one.send(r)
			for {
				a := one.next()
				if a["event"] != "exchange" {
					last[rank] = a
					return
				}
				all, err := collective.GatherAll(job, []byte(a["text"].(string)))
				if err != nil {
					t.Error(err)
					return
				}
				texts := make([]string, len(all))
				for p := range all {
					texts[p] = string(all[p])
				}
				one.send(map[string]any{"id": 5, "op": "exchanged", "texts": texts})
			}
		})
	}
	wait.Wait()
	return last
}

// Workers learn the same model, to the last byte, however many they are, and the first one tells it.
func TestWorkers(t *testing.T) {
	var want any
	for _, n := range []int{1, 2, 3} {
		all := workers(t, n, nil)
		for rank, a := range all {
			if a["event"] != "done" || a["rows"] != float64(rows) || rank > 0 && a["model"] != "" {
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

// What one worker cannot do fails all of them, with its name and the kind of error.
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
		"rows": {func(rank int, _ map[string]any, rows *bytes.Buffer) {
			if rank == 0 {
				rows.WriteString("1,1,1,1,1,1,1,1,1\n")
			}
		}, "data", "and should have"},
		"bins":   {func(_ int, r map[string]any, _ *bytes.Buffer) { r["options"].(map[string]any)["bins"] = 3 }, "options", "bins"},
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

// A worker whose place does not exist, and one that waits for others, are told and stopped.
func TestWorkerAlone(t *testing.T) {
	c := start(t)
	c.send(map[string]any{"id": 1, "op": "fit", "worker": map[string]any{"rank": 2, "size": 2}})
	if a := c.last(1); a["kind"] != "protocol" {
		t.Errorf("%v", a)
	}
	c.send(map[string]any{"id": 2, "op": "fit", "worker": map[string]any{"rank": 1, "size": 2}})
	if a := c.next(); a["event"] != "exchange" {
		t.Errorf("%v", a)
	}
	c.send(map[string]any{"id": 2, "op": "cancel"})
	if a := c.last(2); a["kind"] != "cancelled" {
		t.Errorf("%v", a)
	}
}
