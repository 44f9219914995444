package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fit that was cancelled leaves a checkpoint, which the same fit continues from to the same model
// and which any other fit refuses.
func TestResume(t *testing.T) {
	x, y := sample(false)
	path, at := store(t, x, y)
	state := filepath.Join(t.TempDir(), "state")
	request := func(id int64, more map[string]any) map[string]any {
		options := map[string]any{"k": 2, "folds": 4, "bins": 0}
		for name, value := range more {
			options[name] = value
		}
		return map[string]any{
			"id": id, "op": "fit", "events": true, "files": []any{map[string]any{"path": path}}, "options": options,
			"table": map[string]any{
				"rows": rows, "columns": cols,
				"dense":  map[string]any{"file": 0, "offset": at[0], "type": "f8", "length": rows * cols},
				"target": map[string]any{"file": 0, "offset": at[1], "type": "f8", "length": rows},
			},
		}
	}
	c := start(t)
	c.send(request(1, nil))
	base := c.last(1)["model"]

	resume := map[string]any{"resume": state}
	c.send(request(2, resume))
	for c.next()["event"] != "epoch" {
	}
	c.send(map[string]any{"id": 2, "op": "cancel"})
	if end := c.last(2); end["event"] == "error" && end["kind"] != "cancelled" {
		t.Fatal(end)
	}
	if _, err := os.Stat(state); err == nil { // it was not done before it was cancelled
		c.send(request(3, map[string]any{"resume": state, "k": 3}))
		if end := c.last(3); end["kind"] != "other" || !strings.Contains(end["message"].(string), "another fit: k was 2 and is 3") {
			t.Error(end)
		}
	}
	c.send(request(4, resume))
	if c.last(4)["model"] != base {
		t.Error("the model is another")
	}
	if _, err := os.Stat(state); err == nil {
		t.Error("the checkpoint of a complete fit is left")
	}

	if err := os.WriteFile(state, []byte("no checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.send(request(5, resume))
	if end := c.last(5); end["kind"] != "data" || !strings.Contains(end["message"].(string), "remove the file") {
		t.Error(end)
	}
}

// Nested cross-validation is written into the model.
func TestNested(t *testing.T) {
	x, y := sample(false)
	path, at := store(t, x, y)
	c := start(t)
	c.send(map[string]any{
		"id": 1, "op": "fit", "files": []any{map[string]any{"path": path}}, "options": map[string]any{"k": 2, "folds": 3, "bins": 0, "nested": true},
		"table": map[string]any{
			"rows": rows, "columns": cols,
			"dense":  map[string]any{"file": 0, "offset": at[0], "type": "f8", "length": rows * cols},
			"target": map[string]any{"file": 0, "offset": at[1], "type": "f8", "length": rows},
		},
	})
	if text, ok := c.last(1)["model"].(string); !ok || !strings.Contains(text, `"tests":[{"name":"nested","rows":60,"sizes":[2,2,2]`) {
		t.Error(text)
	}
}
