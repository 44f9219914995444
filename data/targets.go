package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

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

const noTarget = "all targets are missing: every row needs one (--skip-missing-target leaves such rows out)"

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

// several sets what stands for several targets in the fields of a single one.
func (t *Target) several() {
	var names []string
	for _, v := range t.Each {
		names = append(names, v.Name)
	}
	t.Name, t.Y, t.Categories = strings.Join(names, ","), rowNumbers(len(t.Each[0].Values)), nil
}

// rowNumbers returns the numbers from 0 to rows−1.
func rowNumbers(rows int) []float64 {
	list := make([]float64, rows)
	for i := range list {
		list[i] = float64(i)
	}
	return list
}

// checkEach returns an error unless several targets match a table with this many rows.
func (t *Target) checkEach(rows int) *Error {
	if t.Each == nil {
		return nil
	}
	known, names := make([]bool, rows), map[string]bool{}
	for _, v := range t.Each {
		if len(v.Values) != rows {
			return &Error{Column: v.Name, Msg: fmt.Sprintf("there are %d target values for %d rows", len(v.Values), rows)}
		}
		if v.Name == "" || names[v.Name] {
			return &Error{Column: v.Name, Msg: "each of several targets needs a name of its own"}
		}
		names[v.Name] = true
		for i, y := range v.Values {
			if math.IsInf(y, 0) {
				return &Error{Column: v.Name, Row: i + 1, Msg: "the target is infinite: it must be a finite number or missing"}
			}
			known[i] = known[i] || y == y
		}
	}
	if i := slices.Index(known, false); i >= 0 {
		return &Error{Row: i + 1, Msg: noTarget}
	}
	return nil
}

// associated is [Target.associated] for one of several targets.
func (v *Vector) associated(set []uint32) float64 {
	t, own := &Target{Categories: v.Categories}, []uint32(nil)
	for i, y := range v.Values {
		if y == y {
			t.Y, own = append(t.Y, y), append(own, set[i])
		}
	}
	return t.associated(own)
}
