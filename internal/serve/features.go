package serve

import "fsa/data"

// features returns the number of columns that are features for a client: those without a role,
// including identifiers that are left out.
func features(d *data.Dataset) int {
	if d.Sparse() { // its empty columns are not listed
		return d.Width()
	}
	count := 0
	for j := range d.Columns {
		if d.Part(j) == "" {
			count++
		}
	}
	return count
}
