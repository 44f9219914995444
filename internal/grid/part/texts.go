package part

import (
	"encoding/json"
	"fmt"
	"slices"

	"fsa/data"
	"fsa/internal/collective"
	"fsa/internal/grid"
)

// addTexts adds the texts of a row.
func (p *own) addTexts(s *data.Schema, cells []float64) {
	for _, c := range p.texts {
		column := p.place[c.variable]
		switch cell := cells[column]; {
		case cell != cell:
			c.rows = append(c.rows, missing)
			c.gone++
		case c.part != nil:
			c.rows = append(c.rows, uint32(c.part.Level(cell)))
		default:
			c.add(int(cell), s.Categories[column])
		}
	}
}

// exchange exchanges the categories of all texts between processes, in the order of the rows in
// which they first appear, and decides which columns are identifiers. All processes call it
// together.
func (p *own) exchange(g *grid.Grid, to *data.StoredTable) error {
	if len(p.Table.texts) == 0 && !slices.ContainsFunc(p.numbers, p.mayNumberRows) {
		return nil
	}
	var mine summary
	for _, c := range p.texts {
		levels, count := c.levels, c.count
		if p.tooMany(len(levels)) { // and therefore not a variable, whatever others have
			levels, count = levels[:data.MaxCategories+1], count[:data.MaxCategories+1]
		}
		mine.addTexts(levels, count, c.gone)
	}
	for _, id := range p.ids {
		mine.addNumbers(id)
	}
	said, err := json.Marshal(mine)
	if err != nil {
		return err
	}
	parts, err := collective.GatherAll(g.World(), said)
	if err != nil {
		return err
	}
	all, err := decodeSummaries(parts)
	if err != nil {
		return err
	}
	p.findIDs(all, to)
	if len(p.Table.texts) == 0 {
		return nil
	}
	return p.joinTexts(g, all, to)
}

// tooMany reports whether a text of the given number of categories is refused before it is known
// whether it is an identifier.
func (t *Table) tooMany(categories int) bool {
	return categories > data.MaxCategories && t.Rows > 2*data.MaxCategories
}

// joinTexts joins the categories of each text from all processes into one list, and renumbers those
// of this process accordingly.
func (p *own) joinTexts(g *grid.Grid, all []summary, to *data.StoredTable) error {
	_, cut := p.cut.Apart(len(p.numbers))
	categories := make([]int, len(p.Table.texts))
	number := make([][]uint32, len(p.texts)) // for each category of this process, its number in the joined list
	for column, k := 0, 0; column < g.Columns; column++ {
		for i := range all[column].Texts {
			x := p.Table.texts[k]
			stored := data.StoredText{Index: x.variable, Part: x.number}
			at := map[string]uint32{}
			gone := 0
			for row := range g.Rows {
				s := &all[row*g.Columns+column].Texts[i]
				gone += s.Gone
				here := row*g.Columns+column == g.World().Rank()
				for c, text := range s.Levels {
					level := string(text)
					n, known := at[level]
					if !known {
						n = uint32(len(stored.Levels))
						at[level] = n
						stored.Levels, stored.Count = append(stored.Levels, level), append(stored.Count, 0)
					}
					if stored.Count[n] += s.Count[c]; here {
						number[k-p.firstText] = append(number[k-p.firstText], n)
					}
				}
			}
			if err := p.finish(&stored, x, to.Schema); err != nil {
				return err
			}
			if categories[k] = len(stored.Levels); gone > 0 && stored.Left == "" {
				categories[k]++
			}
			to.Categories = append(to.Categories, stored)
			k++
		}
	}
	codes := make([]uint32, len(p.texts))
	var err error
	to.Texts, err = grid.NewTexts(g, cut, categories, func(row int) []uint32 {
		for i, c := range p.texts {
			s := &to.Categories[p.firstText+i]
			switch code := c.rows[row-p.fromRow]; {
			case s.Left != "":
				codes[i] = 0
			case code == missing:
				codes[i] = uint32(len(s.Levels))
			case c.part != nil:
				codes[i] = code
			default:
				codes[i] = number[i][code]
			}
		}
		return codes
	})
	return err
}

// finish completes the description of a text whose categories are known.
func (t *Table) finish(s *data.StoredText, x text, schema *data.Schema) error {
	switch n := len(s.Levels); {
	case x.part != nil:
		s.Levels, s.Count = x.part.Levels, nil
		return nil
	case t.tooMany(n):
		return &data.Error{File: t.path, Column: t.Columns[x.variable], Msg: fmt.Sprintf("more than %d different texts are too many categories for a variable: --drop the column", data.MaxCategories)}
	case t.used(x.variable):
		s.Count = nil
	case data.NearlyUnique(n, t.Rows):
		s.Left, s.Levels, s.Count = data.UniqueTexts(n, t.Rows), s.Levels[:1], nil
	}
	schema.Categories[x.variable] = s.Levels
	if n := len(s.Levels); n > data.MaxCategories {
		return &data.Error{File: t.path, Column: t.Columns[x.variable], Msg: fmt.Sprintf("%d different texts are too many categories for a variable (at most %d): --drop the column", n, data.MaxCategories)}
	}
	return nil
}
