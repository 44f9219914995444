package describe

import (
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"fsa/data"
)

// Limits above which rows are suspected to belong together.
const (
	copiedRows  = 0.05 // share of rows that are copies of earlier ones,
	unlikely    = 1e3  // if there are this many times as many combinations of numbers as rows
	leastGroups = 10   // number of persons or things that have several rows each
)

// rowSums holds a checksum of the numbers of each row.
type rowSums []uint64

// add adds the numbers of a column to the checksums of the rows from the first on. The order of columns does not matter.
func (s *rowSums) add(first, column int, x []float64) {
	for len(*s) < first+len(x) {
		*s = append(*s, 0)
	}
	sums, of := (*s)[first:first+len(x)], mix(uint64(column+1))
	for i, v := range x {
		if v != v {
			v = math.Inf(1) // all missing numbers are the same
		}
		sums[i] += mix(math.Float64bits(v+0) ^ of)
	}
}

// copies returns how many rows are copies of others.
func (s rowSums) copies() (n int) {
	seen := make([]uint64, 1<<bits.Len(uint(2*len(s)))) // at least half of the places stay empty, which is 0
	last := uint64(len(seen) - 1)
	for _, sum := range s {
		sum = max(sum, 1)
		at := sum & last
		for seen[at] != 0 && seen[at] != sum {
			at = (at + 1) & last
		}
		if seen[at] == sum {
			n++
		}
		seen[at] = sum
	}
	return n
}

// checksummed reports whether a column counts for copies of rows: numbers that do not name the rows.
func checksummed(name string, text bool) bool { return !text && !data.CalledID(name) }

// variety estimates the number of different numbers of a column, up to about 300, from how many of 64 classes of a hash
// occur.
func (t *trace) variety() float64 {
	const classes = 64
	missing := float64(classes - bits.OnesCount64(t.kinds))
	return classes * math.Log(classes/max(missing, 0.5))
}

// copiedRows reports whether many rows are copies of others, although copies by chance are unlikely.
func (s *search) copiedRows() (list []Problem) {
	n := len(s.rows)
	if n < leastRows {
		return nil
	}
	combinations := s.target.variety()
	for i := range s.columns {
		if c := &s.columns[i]; checksummed(c.name, c.text) && c.present > 0 {
			combinations *= c.variety()
		}
	}
	if copies := s.rows.copies(); float64(copies) > copiedRows*float64(n) && combinations > unlikely*float64(n) {
		list = append(list, Problem{What: fmt.Sprintf("%d of %d rows are copies of others", copies, n), Cure: "remove copies, or give --fold-by a column that they share: a fold is tested on copies of the rows that it was fitted on", Table: true, weight: 96})
	}
	return list
}

// named matches names of columns that name persons or things.
var named = regexp.MustCompile(`(?i)(^|[^a-z])(patient|subject|person|participant|respondent|customer|client|user|member|household|animal|specimen|device|session|id)s?([^a-z]|$)`)

// groups lists columns that name persons or things with several rows each.
func (s *search) groups(known []Problem) (list []Problem) {
	for i := range s.columns {
		c := &s.columns[i]
		told := slices.ContainsFunc(known, func(p Problem) bool { return p.Column == c.name && p.Leak })
		if s.ordered || told || !named.MatchString(c.name) || c.distinct < leastGroups || 2*c.distinct > c.present {
			continue
		}
		list = append(list, Problem{
			Column: c.name, What: fmt.Sprintf("%d different values in %d rows: if it names persons or things, they have several rows each", c.distinct, c.present),
			Cure: strings.Replace(Dropping(c.name), "--drop", "--fold-by", 1) + " if the model is to predict rows of new ones", weight: 94,
		})
	}
	return list
}
