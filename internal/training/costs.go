package training

import (
	"maps"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
)

// together returns the lists of columns of a dataset that are selected together: groups and panels.
func together(groups [][]string, costs []model.Cost, d *data.Dataset) [][]string {
	lists := slices.Clone(groups)
	panels := map[string][]string{}
	for _, c := range costs {
		if c.Panel != "" && d.Lookup(c.Column) >= 0 {
			panels[c.Panel] = append(panels[c.Panel], c.Column)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(panels)) {
		lists = append(lists, panels[name])
	}
	return lists
}

// spending converts the prices to those of the columns of the dataset; nil without prices.
func spending(costs []model.Cost, budgets []float64, d *data.Dataset) (*search.Spending, error) {
	if costs == nil {
		return nil, nil
	}
	s := &search.Spending{Item: map[int]int{}, Budgets: slices.Sorted(slices.Values(budgets)), Most: math.MaxInt}
	panels := map[string]int{}
	item := func(c model.Cost) int {
		if n, known := panels[c.Panel]; known && c.Panel != "" {
			return n
		}
		s.Prices = append(s.Prices, c.Price)
		panels[c.Panel] = len(s.Prices) - 1
		return len(s.Prices) - 1
	}
	others := model.Cost{Price: -1}
	all := slices.ContainsFunc(costs, func(c model.Cost) bool { return c.Column == model.AllColumns })
	for _, c := range costs {
		column := d.Lookup(c.Column)
		switch {
		case c.Column == model.AllColumns && column < 0:
			others = c
		case d.Empty(c.Column):
		case column < 0 && all:
			return nil, optionError("the costs name %q, but there is no such variable in %s: leave it out, or give every column a price instead of %q", c.Column, d.Name, model.AllColumns)
		case column < 0: // such as a column that was dropped: no other column can be meant, because each has a price
		default:
			index := d.Columns[column].Index
			if _, twice := s.Item[index]; twice {
				return nil, optionError("column %q has two prices, one by its name and one by its number: give one", d.ColumnName(column))
			}
			s.Item[index] = item(c)
		}
	}
	for column := range d.Columns {
		index := d.Columns[column].Index
		if _, known := s.Item[index]; known {
			continue
		}
		if others.Price < 0 {
			return nil, optionError("column %q has no price: give one, or a price of %q for every other column", d.ColumnName(column), model.AllColumns)
		}
		s.Item[index] = item(others)
	}
	return s, nil
}
