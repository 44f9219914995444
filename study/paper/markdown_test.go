package paper

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	n, m, k := new(300), new(1000), new(10)
	row := func(method, metric string, ours, published *float64) Row {
		return Row{N: n, M: m, K: k, Method: method, Metric: metric, Ours: ours, Published: published, Runs: 2}
	}
	r := Result{Name: "demo", About: "table: two methods", Notes: []string{"A note."}, Seconds: 12.345, Rows: []Row{
		row("A", dr, new(33.3), new(29.0)), row("B", dr, nil, new(1.0)), row("A", auc, new(0.98765), nil),
	}}
	r.Rows[0].Differs = true
	for byMethod, want := range map[bool]string{
		false: `# demo

Table: two methods.
Published numbers are in brackets; † marks ours that differ by more than chance.

## DR

| N | M | k | A | B |
|---|---|---|---|---|
| 300 | 1000 | 10 | 33† (29) | – (1) |

## AUC

| N | M | k | A |
|---|---|---|---|
| 300 | 1000 | 10 | 0.988 |

- A note.

Up to 2 runs a cell, 12.3 seconds in all.
`,
		true: `# demo

Table: two methods.
Published numbers are in brackets; † marks ours that differ by more than chance.

N = 300, M = 1000, k = 10

| method | DR | AUC |
|---|---|---|
| A | 33† (29) | 0.988 |
| B | – (1) | – |

- A note.

Up to 2 runs a cell, 12.3 seconds in all.
`,
	} {
		r.byMethod = byMethod
		var got strings.Builder
		if err := r.Markdown(&got); err != nil || got.String() != want {
			t.Errorf("error %v, text\n%s\nwant\n%s", err, got.String(), want)
		}
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "less than 0.1 seconds", 9.58e-05: "less than 0.1 seconds", 0.12345: "0.123 seconds", 12.345: "12.3 seconds",
		99.99: "100 seconds", 1234.5: "1234 seconds", 86400: "86400 seconds",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("%v is written %s, want %s", seconds, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		metric string
		v      float64
		want   string
	}{
		{dr, 33.3, "33"}, {pcd, 100, "100.0"}, {auc, 0.9996, "1.000"}, {rmse, 1, "1.00"},
		{seconds, 37296, "37296"}, {seconds, 0.0123, "0.0123"}, {seconds, 12.345, "12.3"}, {seconds, 144655, "144655"},
	} {
		if got := shown(c.metric, c.v); got != c.want {
			t.Errorf("%s %v is written %s, want %s", c.metric, c.v, got, c.want)
		}
	}
}
