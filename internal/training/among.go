package training

import (
	"path"
	"strings"

	"fsa/data"
)

// among converts sets of names and patterns to sets of columns of the dataset; nil if there are none.
func among(given [][]string, d *data.Dataset) ([]map[int]bool, error) {
	var list []map[int]bool
	for _, names := range given {
		set := map[int]bool{}
		for _, name := range names {
			found := d.Empty(name)
			for j := range d.Columns {
				if matches, _ := path.Match(name, d.ColumnName(j)); (matches || j == d.Lookup(name)) && d.Part(j) == "" {
					set[j], found = true, true
				}
			}
			if !found {
				return nil, optionError("pairs among %s: there is no variable %q in %s", strings.Join(names, ", "), name, d.Name)
			}
		}
		if len(set) < 2 {
			return nil, optionError("pairs among %s: this is one variable, and a pair has two: name more", strings.Join(names, ", "))
		}
		list = append(list, set)
	}
	return list, nil
}
