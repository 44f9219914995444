package keypoint

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteTable prints the average precision of all methods, and their training times relative to the
// first.
func (c *Comparison) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "Average precision on %d photos with %d faces: %s.\n", c.Tests, c.Faces, c.Data)
	fmt.Fprintf(w, "Trained on %d photos in %d mining rounds with %d negatives each; pool %s; k = %d, %d bins.\n\n", c.Photos, c.Rounds, c.Negatives, c.Pool, c.K, c.Bins)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "keypoint\t")
	for _, m := range c.Methods {
		fmt.Fprintf(t, "%s\t", m)
	}
	fmt.Fprintln(t)
	for _, p := range c.Points {
		fmt.Fprintf(t, "%s\t", p)
		for _, m := range c.Methods {
			if r := c.Result(p, m); r != nil {
				fmt.Fprintf(t, "%.3f\t", r.Curve.AP)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
		fmt.Fprintln(t)
	}
	fmt.Fprint(t, "mean\t")
	for _, m := range c.Methods {
		fmt.Fprintf(t, "%.3f\t", c.MeanAP(m))
	}
	for _, row := range []struct {
		name  string
		times map[string]float64
	}{{"training time", c.Times}, {"of processors", c.CPUTimes}} {
		fmt.Fprintf(t, "\n%s\t", row.name)
		for _, m := range c.Methods {
			if r, known := c.Ratio(row.times, m); known {
				fmt.Fprintf(t, "%.2f\t", r)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
	}
	fmt.Fprintln(t)
	return t.Flush()
}
