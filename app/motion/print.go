package motion

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes the table of errors: our means beside the published ones, then our medians.
func (e *Evaluation) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d sequences, %d candidates (%s pool), %d features, %d folds of videos", e.Sequences, e.Candidates, e.Pool, e.Features, e.Folds)
	if e.Assignments > 1 {
		fmt.Fprintf(w, ", mean over %d assignments", e.Assignments)
	}
	fmt.Fprint(w, "\n\nMean of misclassified points, percent\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	header(t)
	for i := range e.Methods {
		r := &e.Methods[i]
		row(t, r.label("test"), len(r.Test), func(g int) string { return fmt.Sprintf("%.2f", r.Test[g].Mean) })
		published := publishedOf(r.Method)
		if published != nil {
			row(t, "published", len(published.Test), func(g int) string { return number(published.Test[g]) })
		}
		if r.Train == nil {
			continue
		}
		row(t, r.label("train"), len(r.Train), func(g int) string { return fmt.Sprintf("%.2f", r.Train[g].Mean) })
		if published != nil {
			row(t, "published", len(published.Train), func(g int) string { return number(published.Train[g]) })
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nMedian of misclassified points, percent\n")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	header(t)
	for i := range e.Methods {
		r := &e.Methods[i]
		row(t, r.label("test"), len(r.Test), func(g int) string { return fmt.Sprintf("%.2f", r.Test[g].Median) })
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return e.printSpread(w)
}

// printSpread writes the spread of the mean error over all sequences.
func (e *Evaluation) printSpread(w io.Writer) error {
	if e.Assignments < 2 {
		return nil
	}
	_, err := fmt.Fprint(w, "\nMean test error over all sequences, by assignment of videos to folds\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i := range e.Methods {
		r := &e.Methods[i]
		if r.Train == nil {
			continue
		}
		all := r.Cell("all")
		fmt.Fprintf(t, "%s\t%.2f\t± %.2f\t", r.Method, all.Mean, all.Spread)
		for _, v := range r.Assignments {
			fmt.Fprintf(t, "%.2f\t", v)
		}
		fmt.Fprintln(t)
	}
	if err != nil {
		return err
	}
	return t.Flush()
}

// label returns the name of a row of the table. Learning methods have two rows.
func (r *Result) label(part string) string {
	if r.Train == nil {
		return r.Method
	}
	return r.Method + " " + part
}

func header(w io.Writer) {
	fmt.Fprint(w, "\t")
	for _, g := range Groups() {
		name := g.Name
		for _, short := range [][2]string{{"checkerboard", "check"}, {"articulated", "artic"}} {
			name = strings.Replace(name, short[0], short[1], 1)
		}
		fmt.Fprintf(w, "%s\t", name)
	}
	fmt.Fprintln(w)
}

func row(w io.Writer, name string, groups int, cell func(g int) string) {
	fmt.Fprintf(w, "%s\t", name)
	for g := range groups {
		fmt.Fprintf(w, "%s\t", cell(g))
	}
	fmt.Fprintln(w)
}

// number writes a published number, or a dash if there is none.
func number(v float64) string {
	if v == none {
		return "–"
	}
	return fmt.Sprintf("%.2f", v)
}
