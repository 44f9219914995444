package bench

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Print writes the report as text.
func (r *Report) Print(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%s\n%s\n", r.Quiet, r.Machine)
	fmt.Fprintf(w, "medians of %d, %s\n", r.Repeats, plural(r.Threads, "thread"))
	for _, part := range r.parts {
		part(r, w)
	}
	r.printMissing(w)
	return w.Flush()
}

func (all *Report) printDevice(w io.Writer) {
	r := all.Device
	if r == nil {
		return
	}
	fmt.Fprintf(w, "\n%s, which copies %.2f TB/s, read and written\n", r.Name, r.CopyBytesPerSecond/1e12)
	fmt.Fprintf(w, "  %-36s%11s%11s\n", "pass", "TB/s", "/ copy")
	for _, p := range r.Passes {
		fmt.Fprintf(w, "  %-36s%11.2f%11.2f\n", fmt.Sprintf("%s, %d columns", p.Storage, p.M), p.BytesPerSecond/1e12, p.OverCopy)
	}
	for _, s := range r.Steps {
		fmt.Fprintf(w, "  a step on %d×%d: %.1f µs\n", s.Rows, s.M, 1e6*s.Seconds)
	}
	fmt.Fprintf(w, "  %-54s%9s%11s%11s\n", "fit of a table that is there", "seconds", "found", "memory / X")
	for _, f := range r.Fits {
		what := fmt.Sprintf("%s, %d×%d, k = %d", f.Storage, f.N, f.M, f.K)
		if f.Polish > 0 {
			what += fmt.Sprintf(", %s of polishing", plural(f.Polish, "round"))
		}
		fmt.Fprintf(w, "  %-54s%9.3f%10.1f%%%11.2f\n", what, f.Seconds, 100*f.Found, f.Memory)
	}
	if h := r.FromHost; h != nil {
		fmt.Fprintf(w, "  a whole fit of %d×%d, k = %d, from memory: %.3f s, and %.3f s by two threads\n", h.N, h.M, h.K, h.Seconds, h.Processor)
	}
}

func (r *Report) printWatched(w io.Writer) {
	for i, x := range r.Watched {
		if i == 0 {
			fmt.Fprintf(w, "\n%-38s%9s%16s%16s\n", "live page, with / without", "seconds", "time", "processor time")
		}
		fmt.Fprintf(w, "  %-36s%9.3g%16.3f%16.3f\n", fmt.Sprintf("fit of %d×%d, k %s, %d times", x.N, x.M, x.K, x.Repeats), x.Seconds, x.Over, x.ProcessorOver)
	}
}

func (r *Report) printGrids(w io.Writer) {
	for _, g := range r.Grids {
		fmt.Fprintf(w, "\n%-46s%9s%9s%9s%9s%10s%8s%8s\n", fmt.Sprintf("grid, %d×%d, k = %d, batch %s", g.N, g.M, g.K, g.Batch), "fit, s", "/ 1x1", "descent", "/ 1x1", "predicted", "MB sent", "peak")
		for _, x := range g.Ways {
			name, predicted := "1 process, "+plural(x.Threads, "thread"), "–"
			if x.Grid != "" {
				name, predicted = x.Grid+" processes", fmt.Sprintf("%.3g", x.Predicted)
			}
			if x.MPI {
				name += ", MPI"
			}
			fmt.Fprintf(w, "  %-44s%9.3g%9.2f%9.3g%9.2f%10s%8.3g%8.2f\n", name, x.Fit, x.FitOver, x.Descent, x.DescentOver, predicted, x.Sent/1e6, x.PeakOverPart)
		}
		fmt.Fprintf(w, "  %-44s%18.2f\n", "two readers of memory / one", g.Read)
		if g.Read4 > 0 {
			fmt.Fprintf(w, "  %-44s%18.2f\n", "four readers of memory / one", g.Read4)
		}
	}
}

// String describes the machine.
func (m Machine) String() string {
	memory := ""
	if m.MemoryBytes > 0 {
		memory = fmt.Sprintf(", %.0f GiB", float64(m.MemoryBytes)/(1<<30))
	}
	c := m.Caches
	return fmt.Sprintf("%s, %s%s, %s, %s %s\ncaches: L1 %d KiB, L2 %d KiB, L3 %d MiB", m.CPU, plural(m.Cores, "core"), memory, m.Instructions, m.Go, m.System, c.L1>>10, c.L2>>10, c.L3>>20)
}

func (r *Report) printPass(w io.Writer) {
	if r.Pass == nil {
		return
	}
	fmt.Fprintf(w, "\n%-38s%11s%11s\n", "fused pass / reading", plural(r.Threads, "thread"), "1 thread")
	for _, cols := range slices.Backward(slices.Sorted(maps.Keys(r.Pass))) {
		fmt.Fprintf(w, "  %-36s%11.2f%11.2f\n", fmt.Sprintf("%d columns", cols), r.Pass[cols], r.PassOneThread[cols])
	}
	for _, read := range r.Read {
		fmt.Fprintf(w, "  reading, %s: %.1f GB/s by %s\n", plural(read.Threads, "thread"), read.BytesPerSecond/1e9, read.Reader)
	}
}

// printFits writes a paragraph for each kind of table. The others are compared with the first line.
func (r *Report) printFits(w io.Writer) {
	r.printTables(w, r.Fits, "%s", "/ reading", func(f Fit) string {
		if f.OverRead > 0 {
			return number(&f.OverRead)
		}
		return "–"
	})
}

// printChoices writes the same for fits beside peers that choose the number of variables.
func (r *Report) printChoices(w io.Writer) {
	r.printTables(w, r.Choices, "%s, not told", "selected", func(f Fit) string { return fmt.Sprintf("%.1f", f.Selected) })
}

// printTables writes fits, with a last column of their own.
func (r *Report) printTables(w io.Writer, fits []Fit, title, last string, of func(Fit) string) {
	var first Fit
	for _, f := range fits {
		if f.Task != first.Task || f.N != first.N || f.M != first.M || f.K != first.K {
			first = f
			title := fmt.Sprintf(title, kind(config(f.Task, shape{f.N, f.M, f.K}, 0)))
			fmt.Fprintf(w, "\n%-46s%9s%9s%6s%6s%10s\n", title, "seconds", "/ fsa", "DR", "PCD", last)
		}
		more := ""
		if f.MoreThan {
			more = ">"
		}
		method := f.Method
		if f.Threads != r.Threads {
			method += ", " + plural(f.Threads, "thread")
		}
		seconds, ratio := fmt.Sprintf("%s%.3g", more, f.Seconds), fmt.Sprintf("%s%.2f", more, f.Seconds/first.Seconds)
		fmt.Fprintf(w, "  %-44s%9s%9s%6s%6s%10s\n", method, seconds, ratio, number(f.DR), number(f.PCD), of(f))
	}
}

// printMissing lists peers that are missing for the same reason together.
func (r *Report) printMissing(w io.Writer) {
	var whys []string
	methods := map[string][]string{}
	for _, m := range r.Missing {
		if methods[m.Why] == nil {
			whys = append(whys, m.Why)
		}
		methods[m.Why] = append(methods[m.Why], m.Method)
	}
	if len(whys) > 0 {
		fmt.Fprintln(w, "\nnot compared")
	}
	for _, why := range whys {
		fmt.Fprintf(w, "  %s: %s\n", strings.Join(methods[why], ", "), why)
	}
}

// printCommands writes the cost of whole commands beside that of reading their files.
func (r *Report) printCommands(w io.Writer) {
	for i, c := range r.Commands {
		if i == 0 {
			fmt.Fprintf(w, "\n%-38s%9s%9s%16s\n", fmt.Sprintf("command, %d×%d", c.N, c.M), "seconds", "reading", "peak / numbers")
		}
		fmt.Fprintf(w, "  %-36s%9.3g%9.3g%16.2f\n", fmt.Sprintf("fsa fit, %s of %.0f MB", c.Format, float64(c.FileBytes)/1e6), c.Seconds, c.Read, c.PeakOverNumbers)
		for _, name := range slices.Sorted(maps.Keys(c.Readers)) {
			fmt.Fprintf(w, "  %-36s%9s%9.3g\n", "  "+name, "", c.Readers[name])
		}
	}
}

func (r *Report) printScaling(w io.Writer) {
	s := r.Scaling
	if s == nil {
		return
	}
	fmt.Fprintln(w, "\nscaling")
	fmt.Fprintf(w, "  %-36s%11.2f\n", "exponent of time in rows", s.ExponentN)
	fmt.Fprintf(w, "  %-36s%11.2f\n", "exponent of time in columns", s.ExponentM)
	for _, p := range s.Points {
		fmt.Fprintf(w, "  %-36s%9.3g s\n", fmt.Sprintf("fit of %d×%d", p.N, p.M), p.Seconds)
	}
}

func (r *Report) printDisk(w io.Writer) {
	d := r.OutOfCore
	if d == nil {
		fmt.Fprintln(w, "\nout of core: not measured")
		return
	}
	fmt.Fprintln(w, "\nout of core")
	if d.InMemory {
		fmt.Fprintln(w, "  the table fits into the allowed memory, so this is not out of core")
		fmt.Fprintf(w, "  %-36s%11.2f  (%.3g s)\n", "peak memory / promised memory", d.PeakOverPromise, d.Seconds)
		return
	}
	fmt.Fprintf(w, "  %-36s%11.2f\n", "bytes read / size of the file", d.BytesReadOverFile)
	fmt.Fprintf(w, "  %-36s%11.2f\n", "peak memory / promised memory", d.PeakOverPromise)
	fmt.Fprintf(w, "  %-36s%11.2f  (%.3g s, reading %.2f GB/s)\n", "time / reading so many bytes", d.OverRead, d.Seconds, d.ReadBytesPerSecond/1e9)
}

// number writes a number, or a dash if there is none.
func number(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", *x)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
