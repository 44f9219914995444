package fsa_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/anneal"
	"fsa/data"
	"fsa/data/synth"
	seal "fsa/internal/sealed"
)

// altered returns a JSON value of which one part was replaced or removed.
func altered(rng *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		keys := slices.Sorted(maps.Keys(v))
		key := keys[rng.IntN(len(keys))]
		if rng.IntN(8) == 0 {
			delete(v, key)
			return v
		}
		v[key] = altered(rng, v[key])
		return v
	case []any:
		if len(v) == 0 || rng.IntN(4) == 0 {
			return v[:len(v)/2]
		}
		i := rng.IntN(len(v))
		v[i] = altered(rng, v[i])
		return v
	case string: // of base64 four letters are three bytes, and those of eight numbers 32 letters
		switch n := len(v) / 32 * 32; rng.IntN(4) {
		case 0:
			return v[:n/2/32*32]
		case 1:
			return v[:n] + v[:n]
		default:
			text := []byte(v)
			for range min(3, len(text)) {
				text[rng.IntN(len(text))] = "AQgw/9"[rng.IntN(6)]
			}
			return string(text)
		}
	case bool:
		return !v
	case nil:
		return 1
	}
	return []any{0, -1, 1, 7, 1 << 40, -1 << 50, 1e300, -1e-300, nil, "x"}[rng.IntN(10)]
}

// stopped returns the tasks of an interrupted fit, as they are stored in a file.
func stopped(t *testing.T, d *data.Dataset, o fsa.Options, after int64) any {
	t.Helper()
	o.Run.Record = new(fsa.Record)
	o.Run.Record.Always = true
	if _, err := fsa.Fit(endAfter(t.Context(), after), d, o); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := o.Run.Record.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Body map[string]any `json:"checkpoint"`
	}
	if err := json.Unmarshal(file.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	return whole.Body["tasks"]
}

// resealed reads tasks from a file with a correct checksum.
func resealed(t *testing.T, tasks any) (*fsa.Record, error) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"of": map[string]string{}, "tasks": tasks})
	if err != nil {
		t.Fatal(err)
	}
	head, err := json.Marshal(seal.Kind{Format: "fsa-checkpoint", Version: 2}.Seal(body))
	if err != nil {
		t.Fatal(err)
	}
	return fsa.ReadRecord(strings.NewReader(fmt.Sprintf(`%s,"checkpoint":%s}`, head[:len(head)-1], body)))
}

// A forged checkpoint with a correct checksum is either refused or continued, without a crash.
func TestResealedCheckpoint(t *testing.T) {
	d := synthetic(t, synth.Config{N: 60, M: 30, K: 3, Seed: 1})
	rng := rand.New(rand.NewPCG(11, 12))
	read, refused := 0, 0
	for i, o := range []fsa.Options{{Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}}, {K: 3, Selection: fsa.Selection{Polish: true}, Descent: fsa.Descent{Iterations: 30}}, {K: 3, Quick: true, Descent: fsa.Descent{Batch: 16, Iterations: 30}}} {
		o.Run.Threads = 2
		for range 20 {
			tasks := stopped(t, d, o, 20+rng.Int64N(2000))
			for range 1 + rng.IntN(3) {
				tasks = altered(rng, tasks)
			}
			record, err := resealed(t, tasks)
			if err != nil {
				if refused++; !errors.Is(err, fsa.ErrRecord) {
					t.Errorf("options %d: %v", i, err)
				}
				continue
			}
			read++
			o.Run.Record = record
			if _, err := fsa.Fit(t.Context(), d, o); err != nil && !errors.Is(err, fsa.ErrRecord) && !errors.Is(err, anneal.ErrDiverged) && !errors.Is(err, data.ErrBadData) {
				t.Errorf("options %d: %v", i, err)
			}
			o.Run.Record = nil
		}
	}
	if read < 10 || refused < 10 {
		t.Errorf("%d checkpoints were read and %d refused: both should be tried", read, refused)
	}
}

// A checkpoint with a measured step size but without its direction is refused.
func TestCheckpointWithoutDirection(t *testing.T) {
	d := synthetic(t, synth.Config{N: 60, M: 30, K: 3, Seed: 1})
	o := fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 30}, Run: fsa.Run{Threads: 2}}
	for after := int64(40); ; after += 10 {
		tasks := stopped(t, d, o, after)
		found := false
		for _, task := range tasks.(map[string]any) {
			task := task.(map[string]any)
			found = found || task["direction"] != nil && task["done"] == nil
			delete(task, "direction")
		}
		if !found {
			continue
		}
		var err error
		if o.Run.Record, err = resealed(t, tasks); err != nil {
			t.Fatal(err)
		}
		if _, err := fsa.Fit(t.Context(), d, o); !errors.Is(err, fsa.ErrRecord) {
			t.Errorf("the error is %v", err)
		}
		return
	}
}

// A task with fewer selected variables than required is refused.
func TestCheckpointOfFewerVariables(t *testing.T) {
	d := synthetic(t, synth.Config{N: 150, M: 30, K: 3, Seed: 1})
	o := fsa.Options{K: 3, Run: fsa.Run{Threads: 2}}
	tasks := stopped(t, d, o, 1<<40)
	cut := 0
	for name, task := range tasks.(map[string]any) {
		task := task.(map[string]any)
		if chosen, ok := task["chosen"].(string); ok && strings.Contains(name, "improve") {
			text, err := base64.StdEncoding.DecodeString(chosen)
			if err != nil {
				t.Fatal(err)
			}
			task["chosen"] = base64.StdEncoding.EncodeToString(text[:len(text)-4])
			cut++
		}
	}
	if cut == 0 {
		t.Fatalf("nothing was swapped before the fit was stopped: %v", tasks)
	}
	var err error
	if o.Run.Record, err = resealed(t, tasks); err != nil {
		t.Fatal(err)
	}
	if _, err := fsa.Fit(t.Context(), d, o); !errors.Is(err, fsa.ErrRecord) {
		t.Errorf("the error is %v", err)
	}
}
