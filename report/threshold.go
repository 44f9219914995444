package report

import (
	"math"
	"slices"
	"strconv"
)

// thresholds has the confusion matrices of two classes at several thresholds, for the slider of the
// page.
type thresholds struct {
	At []float64 `json:"at"`
	// Counts has the four counts at each threshold, in that order.
	Counts [][4]int `json:"counts"`
	Start  int      `json:"start"` // the threshold that the model uses
}

// thresholdSteps is the number of steps of the slider.
const thresholdSteps = 200

// Ends are the labels of the slider.
func (t *thresholds) Ends() []string {
	n := len(t.At) - 1
	return []string{brief(t.At[0]), brief(t.At[n/2]), brief(t.At[n])}
}

// newThresholds returns nil if there is no threshold to choose.
func newThresholds(r *Run) *thresholds {
	if r.Rows == nil || len(r.Model.Classes) != 2 || r.Model.Outputs != 1 {
		return nil
	}
	score, isProbability := r.Rows.score()
	y := r.Rows.positive(r.Model.Classes[1])
	if len(score) == 0 {
		return nil
	}
	t := &thresholds{Start: thresholdSteps / 2} // a probability of one half, or zero
	low, high := 0.0, 1.0
	if !isProbability {
		high = max(slices.Max(score), -slices.Min(score), 1e-12)
		low = -high
	}
	for i := range thresholdSteps + 1 {
		t.At = append(t.At, low+(high-low)*float64(i)/thresholdSteps)
	}
	for _, at := range t.At {
		var c [4]int
		for i, s := range score {
			switch {
			case s >= at && y[i] > 0:
				c[0]++
			case s >= at:
				c[1]++
			case y[i] > 0:
				c[2]++
			default:
				c[3]++
			}
		}
		t.Counts = append(t.Counts, c)
	}
	for i := range t.At {
		t.At[i] = math.Round(1e6*t.At[i]) / 1e6
	}
	return t
}

// table returns the counts at all thresholds.
func (t *thresholds) table() [][]string {
	out := [][]string{{"threshold", "true_positives", "false_positives", "false_negatives", "true_negatives"}}
	for i, at := range t.At {
		line := []string{exact(at)}
		for _, n := range t.Counts[i] {
			line = append(line, strconv.Itoa(n))
		}
		out = append(out, line)
	}
	return out
}

// confusion is a matrix of true and predicted classes.
type confusion struct {
	Shown   bool // not too many classes to be readable
	Classes []string
	Counts  [][]int // rows are true classes
}

// Heads returns the classes, shortened for a table.
func (c *confusion) Heads() []string { return shortened(c.Classes) }

// newConfusion counts several classes.
func newConfusion(r *Run) *confusion {
	const most = 20
	if r.Rows == nil || len(r.Rows.Classes) < 2 {
		return nil
	}
	n := len(r.Rows.Classes)
	c := &confusion{Shown: n <= most, Classes: r.Rows.Classes, Counts: make([][]int, n)}
	for i := range c.Counts {
		c.Counts[i] = make([]int, n)
	}
	for i, t := range r.Rows.Target {
		p := r.Rows.Probability[i*n : (i+1)*n]
		if at := slices.Index(c.Classes, t); at >= 0 {
			c.Counts[at][slices.Index(p, slices.Max(p))]++
		}
	}
	return c
}

// table returns it for a CSV file.
func (c *confusion) table() [][]string {
	out := [][]string{{"true", "predicted", "rows"}}
	for i, row := range c.Counts {
		for j, n := range row {
			out = append(out, []string{c.Classes[i], c.Classes[j], exact(float64(n))})
		}
	}
	return out
}
