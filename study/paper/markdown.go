package paper

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Markdown writes the result as Markdown: ours, and in brackets the published numbers.
func (r *Result) Markdown(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "# %s\n\n%s.\n", r.Name, capital(r.About))
	for _, row := range r.Rows {
		if row.Published != nil {
			fmt.Fprintf(w, "Published numbers are in brackets")
			if anyRow(r.Rows, func(r Row) bool { return r.Differs }) {
				fmt.Fprintf(w, "; † marks ours that differ by more than chance")
			}
			fmt.Fprintf(w, ".\n")
			break
		}
	}
	for _, name := range unique(r.Rows, func(r Row) string { return r.Data }) {
		rows := where(r.Rows, func(r Row) bool { return r.Data == name })
		if name != "" {
			fmt.Fprintf(w, "\n## %s\n", name)
		}
		if r.byMethod {
			methodLines(w, rows)
			continue
		}
		for _, metric := range unique(rows, func(r Row) string { return r.Metric }) {
			fmt.Fprintf(w, "\n## %s\n", metric)
			sizeLines(w, where(rows, func(r Row) bool { return r.Metric == metric }))
		}
	}
	for _, p := range r.pictures {
		fmt.Fprintf(w, "\n![%s](%s.svg)\n", p.name, p.name)
	}
	if len(r.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "- %s\n", note)
	}
	fmt.Fprintf(w, "\n%s.\n", r.effort())
	return w.Flush()
}

// effort describes the amount of work.
func (r *Result) effort() string {
	most := 0
	for _, row := range r.Rows {
		most = max(most, row.Runs)
	}
	times := ""
	switch {
	case most == 1:
		times = "One run, "
	case most > 1:
		times = fmt.Sprintf("Up to %d runs a cell, ", most)
	}
	return times + duration(r.Seconds) + " in all"
}

// duration writes seconds without needless digits.
func duration(seconds float64) string {
	switch {
	case seconds < 0.1:
		return "less than 0.1 seconds"
	case seconds < 100:
		return fmt.Sprintf("%.3g seconds", seconds)
	}
	return fmt.Sprintf("%.0f seconds", seconds)
}

// sizeLines writes one metric: sizes down, methods across.
func sizeLines(w io.Writer, rows []Row) {
	methods := unique(rows, func(r Row) string { return r.Method })
	heading(w, append([]string{"N", "M", "k"}, methods...))
	for _, size := range unique(rows, sizeOf) {
		line := size[:]
		for _, method := range methods {
			line = append(line, content(rows, func(r Row) bool { return sizeOf(r) == size && r.Method == method }))
		}
		tableLine(w, line)
	}
}

// methodLines writes all metrics: methods down, metrics across. What all lines have in common of
// their sizes is written above them.
func methodLines(w io.Writer, rows []Row) {
	type line struct {
		method string
		size   [3]string
	}
	of := func(r Row) line { return line{r.Method, sizeOf(r)} }
	metrics := unique(rows, func(r Row) string { return r.Metric })
	first := []string{"method"}
	var common []string
	var varying []int
	for i, name := range []string{"N", "M", "k"} {
		switch list := unique(rows, func(r Row) string { return sizeOf(r)[i] }); {
		case len(list) > 1:
			first = append(first, name)
			varying = append(varying, i)
		case list[0] != unknown:
			common = append(common, name+" = "+list[0])
		}
	}
	if common != nil {
		fmt.Fprintf(w, "\n%s\n", strings.Join(common, ", "))
	}
	heading(w, append(first, metrics...))
	for _, l := range unique(rows, of) {
		cells := []string{l.method}
		for _, i := range varying {
			cells = append(cells, l.size[i])
		}
		for _, metric := range metrics {
			cells = append(cells, content(rows, func(r Row) bool { return of(r) == l && r.Metric == metric }))
		}
		tableLine(w, cells)
	}
}

// content writes the matching row, or a dash.
func content(rows []Row, fits func(Row) bool) string {
	for _, r := range rows {
		if !fits(r) {
			continue
		}
		text := unknown
		if r.Ours != nil {
			text = shown(r.Metric, *r.Ours)
		}
		if r.Differs {
			text += "†"
		}
		if r.Published != nil {
			text += " (" + shown(r.Metric, *r.Published) + ")"
		}
		return text
	}
	return unknown
}

func heading(w io.Writer, cells []string) {
	fmt.Fprintln(w)
	tableLine(w, cells)
	fmt.Fprintln(w, strings.Repeat("|---", len(cells))+"|")
}

func tableLine(w io.Writer, cells []string) {
	fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
}

func where(rows []Row, fits func(Row) bool) []Row {
	var out []Row
	for _, r := range rows {
		if fits(r) {
			out = append(out, r)
		}
	}
	return out
}

func anyRow(rows []Row, fits func(Row) bool) bool { return len(where(rows, fits)) > 0 }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
