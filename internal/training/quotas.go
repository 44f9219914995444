package training

import (
	"math"
	"path"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
)

// quotas converts the quotas to columns of the dataset.
func quotas(given []model.Quota, d *data.Dataset) ([]search.Quota, error) {
	var list []search.Quota
	owner := map[int]model.Quota{} // by index of the column
	for _, q := range given {
		to := search.Quota{Name: q.String(), Columns: map[int]bool{}, Most: q.Most, Least: q.Least}
		if q.Least > 0 && q.Most == 0 {
			to.Most = math.MaxInt32
		}
		for _, pattern := range q.Columns {
			found := d.Empty(pattern)
			for column := range d.Columns {
				index := d.Columns[column].Index
				if matches, _ := path.Match(pattern, d.ColumnName(column)); !matches && column != d.Lookup(pattern) {
					continue
				}
				if other, twice := owner[index]; twice && !to.Columns[index] {
					return nil, optionError("column %q is in the quotas %s and %s: leave it out of one of them", d.ColumnName(column), other, q)
				}
				owner[index], to.Columns[index], found = q, true, true
			}
			if !found {
				return nil, optionError("quota %s: there is no variable %q in %s", q, pattern, d.Name)
			}
		}
		if len(to.Columns) < q.Least {
			return nil, optionError("quota %s: %d of its columns must be selected, but %s has only %d of them: lower the quota, or do not drop them", q, q.Least, d.Name, len(to.Columns))
		}
		list = append(list, to)
	}
	return list, nil
}
