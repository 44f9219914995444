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
