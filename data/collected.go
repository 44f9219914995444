package data

import (
	"math"
	"slices"
)

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

// findTargets finds the columns of several targets.
func (c *Collector) findTargets() error {
	c.targets = nil
	for _, ref := range c.roles.Targets {
		j, err := c.find(ref, "targets")
		if err != nil {
			return err
		}
		c.targets = append(c.targets, j)
	}
	if c.several == nil {
		c.several = make([][]float64, len(c.targets))
	}
	return nil
}

// columns returns the columns whose cells a row needs for its roles.
func (c *Collector) columns() []int {
	all := slices.Concat([]int{c.target, c.weight, c.query, c.group, c.offset}, c.targets, c.beside.columns)
	return slices.DeleteFunc(all, func(j int) bool { return j < 0 })
}

// rowOfTargets takes the targets of a row, of which some may be missing.
func (c *Collector) rowOfTargets(cells []float64) *Error {
	known := 0
	for k, j := range c.targets {
		v := cells[j]
		if math.IsInf(v, 0) {
			return &Error{Column: c.schema.Name(j), Msg: "the target is infinite: it must be a finite number or missing"}
		}
		if v == v {
			known++
		}
		c.several[k] = append(c.several[k], v)
	}
	if len(c.targets) > 0 && known == 0 {
		return &Error{Msg: noTarget}
	}
	return nil
}

// setTargets sets several targets.
func (c *Collector) setTargets(t *Target) error {
	for k, j := range c.targets {
		t.Each = append(t.Each, Vector{Name: c.schema.Name(j), Values: c.several[k], Categories: c.schema.Categories[j]})
	}
	for _, v := range c.roles.TargetVectors {
		t.Each = append(t.Each, *v)
	}
	if t.Each == nil {
		return nil
	}
	t.several()
	if err := t.checkEach(c.rows); err != nil {
		err.File = c.name
		return err
	}
	return nil
}
