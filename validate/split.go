package validate

import "fmt"

// Split divides the rows into folds. The training rows of each split contain every class.
func (s Scheme) Split(rows int) (*Folds, error) {
	switch {
	case s.Folds < 0 || s.Folds == 1 && s.Time == nil:
		return nil, foldError("%d folds: at least 2 are needed", s.Folds)
	case s.Folds >= maxFolds:
		return nil, foldError("%d folds: there must be fewer than %d", s.Folds, maxFolds)
	case s.Repeats < 0:
		return nil, foldError("%d repeats: at least one is needed", s.Repeats)
	case s.Fold != nil && s.Time != nil:
		return nil, foldError("the order of time and given folds exclude each other: leave one out")
	case (s.Fold != nil || s.Time != nil) && s.Repeats > 1:
		return nil, foldError("%d repeats of given folds would be the same: leave repeats out", s.Repeats)
	case s.Fold != nil && s.Folds != 0:
		return nil, foldError("folds are given: leave their number out")
	}
	d, err := s.deck(rows)
	if err != nil {
		return nil, err
	}
	if s.Fold != nil {
		return s.given(d)
	}
	if s.Time != nil {
		return s.chain(d)
	}
	folds, err := s.count(d)
	if err != nil {
		return nil, err
	}
	return s.dealt(d, folds, max(s.Repeats, 1), forFolds)
}

// Pairs returns complementary pairs of half samples (Shah and Samworth 2013): for each pair
// the rows are divided into two halves. Splits 2i and 2i+1 train on the two halves of pair i.
// Folds, Repeats, Time and Fold are ignored.
func (s Scheme) Pairs(rows, pairs int) (*Folds, error) {
	if pairs < 1 {
		return nil, foldError("%d pairs of half samples: at least one is needed", pairs)
	}
	s.Folds, s.Time, s.Fold = 2, nil, nil
	d, err := s.deck(rows)
	if err != nil {
		return nil, err
	}
	if _, err := s.count(d); err != nil {
		return nil, err
	}
	return s.dealt(d, 2, pairs, forPairs)
}

// dealt assigns all rows to parts of equal shares, once per repeat.
func (s *Scheme) dealt(d *deck, parts, repeats, purpose int) (*Folds, error) {
	shares := make([]float64, parts)
	for i := range shares {
		shares[i] = 1 / float64(parts)
	}
	f := &Folds{parts: parts}
	for r := range repeats {
		of := d.deal(shares, stream(s.Seed, purpose, r))
		for c, in := range d.parts(of) {
			if len(in) == 1 && s.Class != nil {
				return nil, foldError("all rows of class %s would fall into one of %d parts, so it could not be learned: use fewer parts or smaller groups", s.name(d.classes[c]), parts)
			}
		}
		f.of = append(f.of, of)
	}
	return f, nil
}

// Holdout holds out about the given share of the weight as a test set; with Time, the last
// rows. Folds, Repeats and Fold are ignored.
func (s Scheme) Holdout(rows int, share float64) (Split, error) {
	if !(share > 0 && share < 1) {
		return Split{}, foldError("a share of %v to hold out: it must be above 0 and below 1", share)
	}
	s.Folds, s.Fold = 2, nil
	d, err := s.deck(rows)
	if err != nil {
		return Split{}, err
	}
	f := &Folds{parts: 2}
	if s.Time != nil {
		of, err := s.blocks(d, []float64{1 - share, share})
		if err != nil {
			return Split{}, err
		}
		f.of, f.forward = [][]uint16{of}, true
		return f.Split(0), nil
	}
	if _, err := s.count(d); err != nil {
		return Split{}, err
	}
	of := d.deal([]float64{share, 1 - share}, stream(s.Seed, forHoldout, 0))
	for c, in := range d.parts(of) {
		what := "row"
		if s.Class != nil {
			what = "row of class " + s.name(d.classes[c])
		}
		if !in[0] {
			return Split{}, foldError("with a share of %v no %s would be held out: hold out more", share, what)
		}
		if !in[1] {
			return Split{}, foldError("with a share of %v no %s would be left for training: hold out less", share, what)
		}
	}
	f.of = [][]uint16{of}
	return f.Split(0), nil
}

// count returns the number of folds.
func (s *Scheme) count(d *deck) (int, error) {
	members, rarest := d.members()
	most, folds := d.heavy(), s.Folds
	if folds == 0 {
		folds = max(min(usual, most, members[rarest]), 2)
	}
	switch {
	case most < folds:
		return 0, foldError("%s cannot be divided into %d parts: %s", d.say(most), folds, cure(most))
	case members[rarest] < folds && !(s.Rare && members[rarest] > 1):
		return 0, foldError("class %s has %s, too few for %d parts: %s, or drop or merge rare classes",
			s.name(d.classes[rarest]), d.say(members[rarest]), folds, cure(members[rarest]))
	}
	return folds, nil
}

func cure(most int) string {
	if most < 2 {
		return "at least 2 are needed"
	}
	return fmt.Sprintf("use at most %d", most)
}
