package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/internal/runs"
)

// A fit writes a run folder like that of the command, and its report has what is in there.
func TestRunFolder(t *testing.T) {
	x, y := sample(false)
	path, at := store(t, x, y)
	folder := filepath.Join(t.TempDir(), "run")
	request := func(id int64, run map[string]any) map[string]any {
		return map[string]any{
			"id": id, "op": "fit", "run": run, "files": []any{map[string]any{"path": path}}, "options": map[string]any{"k": 2, "folds": 4, "bins": 0},
			"table": map[string]any{
				"rows": rows, "columns": cols,
				"dense":  map[string]any{"file": 0, "offset": at[0], "type": "f8", "length": rows * cols},
				"target": map[string]any{"file": 0, "offset": at[1], "type": "f8", "length": rows},
			},
		}
	}
	c := start(t)
	c.send(request(1, nil))
	plain := c.last(1)["model"].(string)
	c.send(request(2, map[string]any{"folder": folder, "call": "Fit(k=2).fit(X, y)"}))
	if c.last(2)["model"] != plain {
		t.Error("a run folder changes the model")
	}
	if text, err := os.ReadFile(filepath.Join(folder, runs.ModelName)); err != nil || string(text) != plain {
		t.Errorf("model.json is another: %v", err)
	}
	page := func(id int64, folder string) string {
		c.send(map[string]any{"id": id, "op": "report", "model": plain, "report": map[string]any{"name": "Fit", "folder": folder}})
		text, _ := c.last(id)["page"].(string)
		return text
	}
	whole, short := page(3, folder), page(4, "")
	for _, part := range []string{"Fit(k=2).fit(X, y)", "X in memory"} {
		if !strings.Contains(whole, part) || strings.Contains(short, part) {
			t.Errorf("%q belongs to the report with a folder alone", part)
		}
	}
	if !strings.Contains(short, "<html") || len(short) >= len(whole) {
		t.Errorf("the report of a model alone has %d bytes, with its folder %d", len(short), len(whole))
	}

	held, err := runs.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	c.send(request(5, map[string]any{"folder": folder}))
	if end := c.last(5); end["kind"] != "options" || !strings.Contains(end["message"].(string), "another fit is running in "+folder) {
		t.Error(end)
	}
	held.Abort()
	c.send(request(6, map[string]any{"folder": folder}))
	if c.last(6)["model"] != plain {
		t.Error("the second fit in the folder has another model")
	}
	wrong := request(7, map[string]any{"folder": filepath.Join(folder, "new")})
	wrong["options"] = map[string]any{"k": 2, "loss": "logistic", "number": true, "eta": -1}
	c.send(wrong)
	if end := c.last(7); end["event"] != "error" {
		t.Error(end)
	}
	if _, err := os.Stat(filepath.Join(folder, "new")); !os.IsNotExist(err) {
		t.Errorf("a fit that failed leaves a folder: %v", err)
	}
}
