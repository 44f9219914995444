package data

// besideColumns are the columns of a table that have such a role, and what they hold.
type besideColumns struct {
	columns []int // −1 without one
	lists   [][]float64
}

// row takes the cells of a row.
func (b *besideColumns) row(s *Schema, roles []Beside, cells []float64) *Error {
	for k, j := range b.columns {
		if j < 0 {
			continue
		}
		v := cells[j]
		if of := roles[k].of; of != nil {
			v = of(v, s.Categories[j])
		}
		if err := roles[k].check(v); err != nil {
			err.Column = s.Name(j)
			return err
		}
		b.lists[k] = append(b.lists[k], v)
	}
	return nil
}

// setBeside sets what columns or vectors say about the target.
func (c *Collector) setBeside(t *Target) error {
	for k, role := range c.others {
		list, name := role.to(t)
		if *list = c.beside.lists[k]; c.resolved && c.beside.columns[k] >= 0 {
			*name = c.schema.Name(c.beside.columns[k])
		}
		v := *role.Vector
		if v != nil {
			*list = make([]float64, len(v.Values))
			for i, x := range v.Values {
				if (*list)[i] = x; role.of != nil {
					(*list)[i] = role.of(x, v.Categories)
				}
			}
		}
		if err := c.check(role.Word, *list, v, role.check); err != nil {
			return err
		}
	}
	return nil
}
