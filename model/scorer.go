package model

import (
	"fmt"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
)

// Scorer computes the decision values of a model for tables of one schema. The schema need not
// belong to a file: a service that receives rows of numbers can use Schema{Width: n}. A Scorer
// counts unseen texts, so each goroutine needs its own; all can share the model.
type Scorer struct {
	spec    *spec
	schema  *data.Schema
	column  []int            // for each variable, its column in the table
	codes   [][]int          // for a category: the level of the model for each text of the table
	levels  []map[string]int // for a category: the number of each level of the model
	parts   []*kind.Part     // the part of a number that the variable is; nil for most variables
	unseen  []int            // for a category: number of rows whose text did not occur in training
	rows    int              // number of rows scored so far
	places  map[int]int      // for sparse tables: the variable of a column
	zeroRow []float64        // for sparse tables: the decision values of a row of zeros
	pairs   []pairColumns    // for each interaction
	offset  int              // column of the offset, or −1
	start   *Scorer          // of the offset model; nil if there is none
	given   []float64        // offsets of all rows, if they are not in a column
}

// lacksTarget reports whether a table without names has all columns but the last, which was the
// target.
func (s *spec) lacksTarget(t *data.Schema) bool {
	return t.Width == s.Width-1 && t.Name(t.Width) == s.Training.Target
}

// Scorer matches the variables of the model with the columns of a table by name. It returns an
// error if a column is missing.
func (m *Model) Scorer(s *data.Schema) (*Scorer, error) {
	offset, err := m.findOffset(s)
	if err != nil {
		return nil, err
	}
	return m.scorer(s, offset, nil)
}

// scorer is [Model.Scorer] with a column of offsets, or with given offsets.
func (m *Model) scorer(s *data.Schema, offset int, given []float64) (*Scorer, error) {
	sc := &Scorer{offset: offset, given: given, spec: &m.spec, schema: s, codes: make([][]int, len(m.spec.Variables)), unseen: make([]int, len(m.spec.Variables)), places: map[int]int{}}
	if w := m.spec.Width; w > 0 && s.Names == nil && !s.Open && s.Width != w && !m.spec.lacksTarget(s) {
		return nil, &data.Error{Msg: fmt.Sprintf("the table has %d columns without names, but the model was trained on %d: give a table with the same columns", s.Width, w)}
	}
	byName, twice := map[string]int{}, map[string]bool{}
	for j, name := range s.Names {
		if _, known := byName[name]; known {
			twice[name] = true
			continue
		}
		byName[name] = j
	}
	var lacking []string
	find := func(name string) (int, bool) {
		j, ok := byName[name]
		if s.Names == nil {
			j = s.FindColumn(name)
			ok = j >= 0 && s.Name(j) == name
		}
		if !ok && !slices.Contains(lacking, name) {
			lacking = append(lacking, name)
		}
		return j, ok
	}
	for i := range m.spec.Variables {
		v := &m.spec.Variables[i]
		j, ok := find(v.Name)
		if !ok {
			continue
		}
		if twice[v.Name] {
			return nil, &data.Error{Column: v.Name, Msg: "two columns have this name, and the model needs it: rename one"}
		}
		if _, text := s.Categories[j]; text != (v.Kind == categorical && v.Part == "") {
			if text {
				return nil, &data.Error{Column: v.Name, Msg: "it has texts, but had numbers in training"}
			}
			return nil, &data.Error{Column: v.Name, Msg: "it has numbers, but had texts in training"}
		}
		sc.column = append(sc.column, j)
		sc.places[j] = i
	}
	if err := sc.findInteractions(find); err != nil {
		return nil, err
	}
	if lacking != nil {
		more := ""
		if n := len(lacking); n > 5 {
			lacking, more = lacking[:5], fmt.Sprintf(" and %d more", n-5)
		}
		return nil, &data.Error{Msg: fmt.Sprintf("the table lacks what the model needs: %s%s", strings.Join(lacking, ", "), more)}
	}
	if of := m.OffsetModel(); of != nil {
		var err error
		if sc.start, err = of.scorer(s, -1, nil); err != nil {
			return nil, err
		}
	}
	sc.levels = make([]map[string]int, len(m.spec.Variables))
	sc.parts = make([]*kind.Part, len(m.spec.Variables))
	for i := range m.spec.Variables {
		v := &m.spec.Variables[i]
		if v.Part != "" {
			sc.parts[i] = kind.PartOf(m.spec.kindOf(v.Name).Kind, v.Part)
		}
		if v.Kind == categorical {
			sc.levels[i] = make(map[string]int, len(v.Levels))
			for l, text := range v.Levels {
				sc.levels[i][text] = l
			}
		}
	}
	if s.Sparse {
		sc.zeroRow = append(sc.zeroRow, m.spec.Intercept...)
		for i := range m.spec.Variables {
			for c := range sc.zeroRow {
				sc.zeroRow[c] += m.spec.Variables[i].part(0, c, &m.spec)
			}
		}
	}
	return sc, nil
}

// Score returns the decision values of the rows of a block, row after row.
func (sc *Scorer) Score(b *data.Block) ([]float64, error) {
	if err := b.Check(sc.schema); err != nil {
		return nil, err
	}
	s := sc.spec
	out := make([]float64, b.Rows*s.Outputs)
	var start []float64
	if sc.start != nil {
		var err error
		if start, err = sc.start.Score(b); err != nil {
			return nil, err
		}
	}
	sc.learnLevels()
	pair := make([]float64, s.Outputs)
	for i := range b.Rows {
		z := out[i*s.Outputs : (i+1)*s.Outputs]
		if sc.schema.Sparse {
			copy(z, sc.zeroRow)
			for p := b.Start[i]; p < b.Start[i+1]; p++ {
				if k, ok := sc.places[int(b.Index[p])]; ok {
					for c := range z {
						z[c] += s.Variables[k].part(b.Value[p], c, s) - s.Variables[k].part(0, c, s)
					}
				}
			}
		} else {
			copy(z, s.Intercept)
			row := b.Dense[i*sc.schema.Width : (i+1)*sc.schema.Width]
			for k := range s.Variables {
				if s.Variables[k].Kind == categorical {
					x := row[sc.column[k]]
					if err := sc.checkText(b, i, k, x); err != nil {
						return nil, err
					}
					sc.text(z, k, x)
					continue
				}
				for c := range z {
					z[c] += s.Variables[k].part(row[sc.column[k]], c, s)
				}
			}
			for k := range s.Interactions {
				if err := sc.pair(pair, k, row); err != nil {
					return nil, err
				}
				for c, v := range pair {
					z[c] += v
				}
			}
		}
		if sc.offset >= 0 || sc.given != nil {
			o, err := sc.offsetOf(b, i)
			if err != nil {
				return nil, err
			}
			z[0] += o
		}
		if start != nil {
			z[0] += start[i]
		}
		for _, v := range z {
			if !finite(v) {
				e := &data.Error{Line: b.LineOf(i), Msg: "values are too large: the decision value overflows"}
				if e.Line == 0 {
					e.Row = sc.rows + i + 1
				}
				return nil, e
			}
		}
	}
	sc.rows += b.Rows
	return out, nil
}

// checkText returns an error if a cell of a text column is not the number of one of its texts.
func (sc *Scorer) checkText(b *data.Block, row, k int, x float64) error {
	if sc.parts[k] == nil && (x < 0 || x >= float64(len(sc.codes[k]))) {
		return &data.Error{Line: b.LineOf(row), Column: sc.spec.Variables[k].Name, Msg: fmt.Sprintf("%v is not the number of one of the column's %d texts", x, len(sc.codes[k]))}
	}
	return nil
}

// text adds the contribution of text x of a dense table to the decision values. A text that did not
// occur in training adds nothing.
func (sc *Scorer) text(z []float64, k int, x float64) {
	level := sc.level(k, x)
	if level < 0 {
		sc.unseen[k]++
		return
	}
	v := &sc.spec.Variables[k]
	for c := range z {
		z[c] += v.Coefficients[c*len(v.Levels)+level]
	}
}

// level returns the level of the model for text x of a dense table, or for a part of number x. It
// is −1 if there is none.
func (sc *Scorer) level(k int, x float64) int {
	v := &sc.spec.Variables[k]
	switch {
	case x == x && sc.parts[k] != nil:
		return sc.parts[k].Level(x)
	case x == x:
		return sc.codes[k][int(x)]
	case v.Levels[len(v.Levels)-1] == "":
		return len(v.Levels) - 1
	}
	return -1
}

// Unseen returns, by variable, the number of rows so far whose text did not occur in training.
// Variables without such rows are omitted.
func (sc *Scorer) Unseen() map[string]int {
	out := map[string]int{}
	if sc.start != nil {
		out = sc.start.Unseen()
	}
	for k, n := range sc.unseen {
		if n > 0 {
			out[sc.spec.Variables[k].Name] = n
		}
	}
	return out
}

// learnLevels matches the texts that were new in the last block.
func (sc *Scorer) learnLevels() {
	for k := range sc.codes {
		v := &sc.spec.Variables[k]
		if v.Kind != categorical || v.Part != "" {
			continue
		}
		for _, text := range sc.schema.Categories[sc.column[k]][len(sc.codes[k]):] {
			code, known := sc.levels[k][text]
			if !known {
				code = -1
			}
			sc.codes[k] = append(sc.codes[k], code)
		}
	}
}
