package rowwise

import "sort"

// places maps lines of the text to places in the file. Rows of one line at equal distances, the
// usual case, take no memory.
type places struct{ runs []run }

// run is a sequence of rows in consecutive lines of the text.
type run struct{ line, place, step, rows int }

// add records the place of the row in a line, which is after all others.
func (p *places) add(line, place int) {
	if n := len(p.runs); n > 0 {
		last := &p.runs[n-1]
		if last.rows == 1 && line == last.line+1 {
			last.step = place - last.place
		}
		if line == last.line+last.rows && place == last.place+last.step*last.rows {
			last.rows++
			return
		}
	}
	p.runs = append(p.runs, run{line, place, 0, 1})
}

// of returns the place of the row in a line, or of the last row before it.
func (p *places) of(line int) int {
	i := sort.Search(len(p.runs), func(i int) bool { return p.runs[i].line > line })
	if i == 0 {
		return 0
	}
	r := p.runs[i-1]
	return r.place + r.step*min(line-r.line, r.rows-1)
}

// drop forgets rows before a line.
func (p *places) drop(line int) {
	i := 0
	for i+1 < len(p.runs) && p.runs[i+1].line <= line {
		i++
	}
	p.runs = p.runs[i:]
}
