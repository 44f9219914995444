package columnar

import "fsa/data/kind"

// When is the meaning of the numbers of a column as moments.
type When uint8

// The kinds of moments.
const (
	Never   When = iota // not moments
	Days                // since 1970
	Seconds             // since 1970
	Clock               // seconds of the day
)

// Kind returns the kind of a column of moments, and whether its numbers must be converted. A given
// kind, such as that of a model, decides: a model that was trained on the stored numbers gets them.
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

// Convert converts stored numbers to those of [kind.Date] or [kind.Time].
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
