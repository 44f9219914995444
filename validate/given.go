package validate

import "slices"

// given returns the folds that the caller gave.
func (s *Scheme) given(d *deck) (*Folds, error) {
	labels := slices.Clone(s.Fold)
	slices.Sort(labels)
	labels = slices.Compact(labels)
	switch {
	case len(labels) < 2:
		return nil, foldError("all rows are in fold %v: give at least 2 different folds", labels[0])
	case len(labels) >= maxFolds:
		return nil, foldError("%d folds are given: there must be fewer than %d", len(labels), maxFolds)
	}
	of := make([]uint16, len(s.Fold))
	weight := make([]float64, len(labels))
	first := make(map[int]int) // row of each group
	for i, label := range s.Fold {
		p, _ := slices.BinarySearch(labels, label)
		of[i] = uint16(p)
		weight[p] += d.weight[i]
		if s.Group == nil {
			continue
		}
		at, ok := first[d.of[i]]
		if !ok {
			first[d.of[i]] = i
		} else if of[at] != of[i] {
			return nil, foldError("rows %d and %d belong to one group, but to folds %v and %v: give folds that keep whole groups together", at+1, i+1, s.Fold[at], label)
		}
	}
	if err := s.wholeQueries(func(i int) float64 { return s.Fold[i] }, "folds"); err != nil {
		return nil, err
	}
	if p := slices.Index(weight, 0); p >= 0 {
		return nil, foldError("the rows of fold %v have no weight, so there is nothing to test: give them weight or another fold", labels[p])
	}
	for c, in := range d.parts(of) {
		if len(in) == 1 && s.Class != nil {
			for p := range in {
				return nil, foldError("all rows of class %s are in fold %v, so it could not be learned: spread them over several folds", s.name(d.classes[c]), labels[p])
			}
		}
	}
	return &Folds{parts: len(labels), of: [][]uint16{of}}, nil
}
