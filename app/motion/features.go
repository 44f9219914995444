package motion

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Family is a set of kinds of features.
type Family int

const (
	// Likelihood features measure how well motions lie in affine subspaces.
	Likelihood Family = 1 << iota
	// Prior features measure how compact motions are in graphs of neighbours.
	Prior
	// Balance features measure how compact the motions are if every motion counts the same,
	// whatever its number of points.
	Balance
	// Agreement features measure the distance of a candidate from its rivals.
	Agreement
)

const (
	// PaperFamilies are the families of the paper.
	PaperFamilies = Likelihood | Prior
	// AllFamilies adds two families to those of the paper.
	AllFamilies = PaperFamilies | Balance | Agreement
)

// Feature is the name of a feature and its family.
type Feature struct {
	Name   string
	Family Family
}

// sheet collects the features of a candidate and, if requested, their names.
type sheet struct {
	values []float64
	names  *[]Feature
}

func (s *sheet) add(value float64, family Family, format string, a ...any) {
	s.values = append(s.values, value)
	if s.names != nil {
		*s.names = append(*s.names, Feature{fmt.Sprintf(format, a...), family})
	}
}

// describe returns the features of a segmentation. If names is not nil, it appends the names.
func (v *view) describe(labels Labels, names *[]Feature) []float64 {
	s := &sheet{names: names}
	mean, square := map[string][]float64{}, map[string][]float64{}
	for i := range v.spaces {
		sp := &v.spaces[i]
		own := distances(sp.points, labels, v.motions)
		floats.Scale(1/sp.unit, own)
		m, q := moments(own)
		if sp.series == "" {
			s.add(m, Likelihood, "%s"+meanSuffix, sp.name)
			s.add(q, Likelihood, "%s.square", sp.name)
		} else {
			mean[sp.series] = append(mean[sp.series], m)
			square[sp.series] = append(square[sp.series], q)
		}
		sp.beyond(s, own)
		sp.compactness(s, labels, v.motions)
	}
	for _, series := range []string{velocitySeries, trackSeries} {
		slices.Sort(mean[series])
		slices.Sort(square[series])
		for k := range smallest {
			s.add(mean[series][k], Likelihood, "%s.mean%d", series, k)
			s.add(square[series][k], Likelihood, "%s.square%d", series, k)
		}
	}
	size := labels.sizes(v.motions)
	s.add(float64(slices.Min(size))/float64(len(labels)), Balance, "size.least")
	v.agreement(s, labels)
	return s.values
}

// The name of the feature that is the mean distance of tracks to the subspaces of their motions.
const (
	meanSuffix = ".mean"
	trackMean  = trackSpace + meanSuffix
)

// smallest is how many of the sorted mean distances over the dimensions are features.
const smallest = 4

// The thresholds τ on distances, in the unit of the space.
const (
	gridTaus   = 72
	lowestTau  = 0.01
	highestTau = 30
)

// beyond adds the share of points whose distance to the subspace of their motion exceeds τ. It
// sorts the distances.
func (sp *space) beyond(s *sheet, own []float64) {
	slices.Sort(own)
	for t, tau := range logarithmic(lowestTau, highestTau, gridTaus) {
		at, _ := slices.BinarySearch(own, tau)
		s.add(float64(len(own)-at)/float64(len(own)), Likelihood, "%s.beyond%d", sp.name, t)
	}
}

// gridNeighbors are the numbers of neighbours of the graphs.
var gridNeighbors = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, mostNeighbors}

// compactness adds the share of links between motions in the graphs, in two ways: the share of all
// links, which is also small if a motion is a handful of points cut off from another motion; and
// the mean over motions of the share of each motion's links, which is not small in that case.
func (sp *space) compactness(s *sheet, labels Labels, motions int) {
	for _, g := range []struct {
		name string
		graph
	}{{"near", sp.near}, {"angle", sp.angle}} {
		all, each := g.cuts(labels, motions)
		for _, k := range gridNeighbors {
			last := min(k, len(all)) - 1 // there may be fewer points
			s.add(all[last], Prior, "%s.%s%d", sp.name, g.name, k)
			s.add(each[last], Balance, "%s.%s-each%d", sp.name, g.name, k)
		}
	}
}

// gridAgreement are the percentages of points within which two segmentations count as agreeing.
var gridAgreement = [...]float64{0, 0.5, 1, 2, 3, 5, 10, 20}

// agreement adds the mean difference from all candidates, each weighted by the number of methods
// that found it, and the share of them that differ by more than some percentage of the points.
func (v *view) agreement(s *sheet, labels Labels) {
	var sum, votes float64
	far := make([]float64, len(gridAgreement))
	for _, r := range v.rivals {
		w := float64(len(r.Origins))
		e := Error(labels, r.Labels)
		sum += w * e
		votes += w
		for i, percent := range gridAgreement {
			if 100*e > percent {
				far[i] += w
			}
		}
	}
	s.add(sum/votes, Agreement, "rivals.mean")
	for i, percent := range gridAgreement {
		s.add(far[i]/votes, Agreement, "rivals.beyond%g", percent)
	}
}

// moments returns the mean and the mean square.
func moments(x []float64) (mean, square float64) {
	for _, v := range x {
		mean += v
		square += v * v
	}
	return mean / float64(len(x)), square / float64(len(x))
}
