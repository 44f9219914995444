package columnar

import "fsa/data/kind"

// When says which moments the numbers of a column stand for.
type When uint8

// The kinds of moments.
const (
	Never   When = iota // they are no moments
	Days                // since 1970
	Seconds             // since 1970
	Clock               // seconds of a day
)

// Kind returns what a column of moments is, and whether its numbers have to be
// converted. What is given for it, such as by a model, decides: one that has learned from
// the numbers as they are stored gets them.
func (w When) Kind(given map[string]kind.Column, name string) (kind.Column, bool) {
	if k, ok := given[name]; w == Never || ok && k.Kind != kind.Date && k.Kind != kind.Time {
		return kind.Column{Kind: kind.Number}, false
	}
	return map[When]kind.Column{
		Days:    {Kind: kind.Date, Layout: "2006-1-2", Why: "the file says so"},
		Seconds: {Kind: kind.Date, Layout: "2006-1-2 15:04:05", Why: "the file says so"},
		Clock:   {Kind: kind.Time, Layout: "15:04:05", Why: "the file says so"},
	}[w], true
}

// Convert turns stored numbers into those of [kind.Date] or [kind.Time].
func (w When) Convert(dst []float64) {
	switch w {
	case Days:
		for i, v := range dst {
			dst[i] = kind.FromUnix(v * 86400)
		}
	case Seconds:
		for i, v := range dst {
			dst[i] = kind.FromUnix(v)
		}
	case Clock:
		for i, v := range dst {
			dst[i] = v / 3600
		}
	}
}
