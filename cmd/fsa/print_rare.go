package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fsa"
	"fsa/data"
	"fsa/eval"
	"fsa/internal/decimal"
	"fsa/model"
)

const (
	// rare is the share of rows, relative to classes of equal size, below which a class is evaluated separately, because
	// the error rate says little about it: a fifth of the rows of two classes.
	rare = 0.4
	// shownRare is the number of such classes that are printed.
	shownRare = 4
	// topShare is the share of rows, those with the highest scores, for which the lift is computed.
	topShare = 0.1
)

// rarity has the out-of-fold metrics of one rare class.
type rarity struct {
	class                              string
	share, precision, recall, lift, ap float64
}

// rarities evaluates the rare classes of a classification, the rarest first. It returns nil if
// there are no out-of-fold predictions.
func rarities(m *model.Model, e *fsa.Evidence, t *data.Target) (list []rarity) {
	if e == nil || e.Prediction == nil || m.Task() != model.Classification || len(e.Has) != len(t.Y) {
		return nil
	}
	classes, outputs, said := m.Classes(), m.Outputs(), e.Prediction.Class()
	if len(said) != len(t.Y) {
		return nil
	}
	for c, class := range classes {
		var score, y []float64
		positives, predicted, hits := 0.0, 0.0, 0.0
		for i, has := range e.Has {
			if !has {
				continue
			}
			s := 0.0
			switch {
			case outputs > 1:
				s = e.Prediction.Decision[i*outputs+c]
			case c == 1:
				s = e.Prediction.Decision[i]
			default:
				s = -e.Prediction.Decision[i]
			}
			is := -1.0
			if classOf(t, t.Y[i]) == class {
				is = 1
				positives++
			}
			if said[i] == class {
				predicted++
				if is > 0 {
					hits++
				}
			}
			score, y = append(score, s), append(y, is)
		}
		share := positives / float64(max(len(y), 1))
		if positives == 0 || share*float64(len(classes)) >= rare {
			continue
		}
		list = append(list, rarity{class, share, hits / max(predicted, 1), hits / positives, lift(score, y, share), eval.AveragePrecision(score, y, nil)})
	}
	slices.SortStableFunc(list, func(a, b rarity) int {
		switch {
		case a.share < b.share:
			return -1
		case a.share > b.share:
			return 1
		}
		return 0
	})
	return list
}

// classOf returns the name of a class in the model.
func classOf(t *data.Target, y float64) string {
	if t.Categories != nil {
		return t.Categories[int(y)]
	}
	return strconv.FormatFloat(y+0, 'f', -1, 64)
}

// lift returns the share of a class among the rows with the highest scores, relative to its share
// among all rows. Rows with equal scores count by their mean.
func lift(score, y []float64, share float64) float64 {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return 0
	})
	top := max(1, int(topShare*float64(len(order))+0.5))
	edge := score[order[top-1]]
	above, ties, aboveHits, tieHits := 0.0, 0.0, 0.0, 0.0
	for _, i := range order {
		hit := 0.0
		if y[i] > 0 {
			hit = 1
		}
		switch {
		case score[i] > edge:
			above++
			aboveHits += hit
		case score[i] == edge:
			ties++
			tieHits += hit
		}
	}
	hits := aboveHits + tieHits*(float64(top)-above)/ties
	return hits / float64(top) / share
}

// rareText describes the metrics of rare classes.
func rareText(list []rarity) string {
	var w strings.Builder
	for _, r := range list[:min(len(list), shownRare)] {
		wrapped(&w, fmt.Sprintf("rare class %s (%.0f%% of the rows), cross-validated: average precision %s (chance %s), recall %.0f%%, precision %.0f%%, lift %s in the top tenth",
			shorten(r.class, shownLetters), 100*r.share, measure("ap", r.ap), measure("ap", r.share), 100*r.recall, 100*r.precision, decimal.Digits(r.lift, 2)))
	}
	if n := len(list) - shownRare; n > 0 {
		fmt.Fprintf(&w, "… and %d more rare classes\n", n)
	}
	return w.String()
}
