package grid

import (
	"context"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/parallel"
)

// KeepStrongest implements [anneal.Resident]. The strength of the m-th strongest group is found by
// counting, because no process holds all strengths.
func (o *Objective) KeepStrongest(ctx context.Context, m int) error {
	strengths := make([][]uint64, len(o.slices))
	for c, s := range o.slices {
		strengths[c] = make([]uint64, len(s.original))
		for j := range s.original {
			strengths[c][j] = math.Float64bits(o.strength(s, j))
		}
	}
	limit, above, err := o.threshold(ctx, strengths, m)
	if err != nil {
		return err
	}
	equal := make([]int64, len(o.slices))
	for c := range strengths {
		for _, v := range strengths[c] {
			if v == limit {
				equal[c]++
			}
		}
	}
	all, err := gatherAlong(ctx, o.grid.row, o.sliceCount, equal)
	if err != nil {
		return err
	}
	quota := int64(m - above) // of the groups that are as strong as the m-th, the first are kept
	for _, n := range all[:o.slices[0].number] {
		quota -= min(quota, n)
	}
	kept := make([][]int, len(o.slices))
	for c := range strengths {
		for j, v := range strengths[c] {
			if v > limit {
				kept[c] = append(kept[c], j)
			} else if v == limit && quota > 0 {
				kept[c] = append(kept[c], j)
				quota--
			}
		}
	}
	return o.keep(ctx, kept)
}

// strength returns the number by which a group of a slice is compared; see [anneal.Rank].
func (o *Objective) strength(s *slice, j int) float64 {
	if s.must[j] {
		return math.Inf(1)
	}
	v := s.beta
	if o.taken > 1 {
		v = s.trail
	}
	v = v[o.outputs*s.first[j] : o.outputs*s.first[j+1]]
	length := anneal.Norm(v)
	if len(v) > 1 {
		length /= math.Sqrt(math.Sqrt(float64(len(v))))
	}
	if o.rank.Weight != nil {
		length *= o.rank.Weight(s.original[j])
	}
	return min(length, math.MaxFloat64)
}

// threshold returns the m-th largest number, m counted from 1, and how many are larger. The bit
// patterns of non-negative numbers have the order of the numbers. The pattern is therefore found
// from its first bits to its last, eight at a time, by counting the numbers with each value of
// those bits.
func (o *Objective) threshold(ctx context.Context, numbers [][]uint64, m int) (limit uint64, above int, err error) {
	for shift := 56; shift >= 0; shift -= 8 {
		counts := make([]int64, 256)
		for _, part := range numbers {
			for _, v := range part {
				if v>>shift>>8 == limit>>shift>>8 {
					counts[byte(v>>shift)]++
				}
			}
		}
		if err := o.sumAlong(ctx, o.grid.row, counts); err != nil {
			return 0, 0, err
		}
		digit := 255
		for above+int(counts[digit]) < m {
			above += int(counts[digit])
			digit--
		}
		limit |= uint64(digit) << shift
	}
	return limit, above, nil
}

// Keep implements [anneal.Objective].
func (o *Objective) Keep(ctx context.Context, groups []int) error {
	kept := make([][]int, len(o.slices))
	first := 0
	for c := range o.slices[0].number {
		first += o.living[c]
	}
	c := 0
	for _, j := range groups {
		for c < len(o.slices) && j >= first+len(o.slices[c].original) {
			first += len(o.slices[c].original)
			c++
		}
		if c == len(o.slices) {
			break
		}
		if j >= first {
			kept[c] = append(kept[c], j-first)
		}
	}
	return o.keep(ctx, kept)
}

// keep drops all groups of each slice except the listed ones.
func (o *Objective) keep(ctx context.Context, kept [][]int) error {
	if d := o.power.Direction; d != nil {
		if err := o.keepDirection(ctx, kept); err != nil {
			return err
		}
	}
	var counts, sizes []int64
	for c, s := range o.slices {
		s.keep(kept[c], o.outputs)
		counts = append(counts, int64(len(s.original)), int64(len(s.column)))
		for j := range s.original {
			sizes = append(sizes, int64(s.first[j+1]-s.first[j]))
		}
	}
	all, err := gatherAlong(ctx, o.grid.row, func(p int) int { return 2 * o.sliceCount(p) }, counts)
	if err != nil {
		return err
	}
	groups := 0
	for c := range o.living {
		o.living[c], o.columns[c] = int(all[2*c]), int(all[2*c+1])
		groups += o.living[c]
	}
	if o.layout = anneal.Uniform(groups, o.outputs, o.layout.Free); !o.single {
		if sizes, err = gatherAlong(ctx, o.grid.row, o.groupsOf, sizes); err != nil {
			return err
		}
		offsets := make([]int, len(sizes)+1)
		for j, n := range sizes {
			offsets[j+1] = offsets[j] + o.outputs*int(n)
		}
		o.layout = anneal.Grouped(offsets, o.layout.Free)
	}
	if groups <= o.final && len(o.batches) > 1 {
		o.batch([][][2]int{{{0, o.cut.Shards[len(o.cut.Shards)-1]}}})
	}
	if merged, err := o.merge(ctx); merged || err != nil {
		return err
	}
	for c := range o.slices {
		if err := o.compact(ctx, c); err != nil {
			return err
		}
	}
	o.settle()
	return nil
}

// keepDirection keeps the entries of the direction of largest curvature that belong to living
// groups.
func (o *Objective) keepDirection(ctx context.Context, kept [][]int) error {
	d := o.power.Direction
	at := 0
	for c := range o.slices[0].number {
		at += o.outputs * o.columns[c]
	}
	var mine []float32
	counts := []int64{0}
	for c, s := range o.slices {
		for _, j := range kept[c] {
			mine = append(mine, d[at+o.outputs*s.first[j]:at+o.outputs*s.first[j+1]]...)
		}
		at += o.outputs * len(s.column)
	}
	counts[0] = int64(len(mine))
	sizes, err := gatherAlong(ctx, o.grid.row, func(int) int { return 1 }, counts)
	if err != nil {
		return err
	}
	all, err := gatherAlong(ctx, o.grid.row, func(p int) int { return int(sizes[p]) }, mine)
	o.power.Direction = append(all, d[len(d)-o.layout.Free:]...)
	return err
}

// keep drops all groups except the listed ones.
func (s *slice) keep(kept []int, outputs int) {
	n := 0 // columns that stay
	for to, from := range kept {
		lo, hi := s.first[from], s.first[from+1]
		s.original[to], s.must[to], s.first[to] = s.original[from], s.must[from], n
		for _, list := range []*[]int{&s.from, &s.column} {
			copy((*list)[n:], (*list)[lo:hi])
		}
		for _, list := range []*[]float64{&s.scale, &s.offset, &s.penalty} {
			if *list != nil {
				copy((*list)[n:], (*list)[lo:hi])
			}
		}
		s.each(func(v *[]float64) { copy((*v)[outputs*n:], (*v)[outputs*lo:outputs*hi]) })
		n += hi - lo
	}
	s.first[len(kept)] = n
	s.original, s.must, s.first = s.original[:len(kept)], s.must[:len(kept)], s.first[:len(kept)+1]
	s.from, s.column, s.scale, s.offset = s.from[:n], s.column[:n], s.scale[:n], s.offset[:n]
	if s.penalty != nil {
		s.penalty = s.penalty[:n]
	}
	s.each(func(v *[]float64) { *v = (*v)[:outputs*n] })
	s.arrange(outputs)
	clear(s.spread) // of those that are dropped
}

// compact removes dropped columns of a slice from its tiles once they are a quarter of it, or once
// no more are to be dropped. Its decision depends on the slice alone, as do the bits of the sums of
// the tiles.
func (o *Objective) compact(ctx context.Context, c int) error {
	s := o.slices[c]
	if last := o.layout.Groups() <= o.final; len(s.column) == s.stored || !compacts(len(s.column), s.stored) && !last {
		return nil
	}
	vars := o.table.variables(slices.Sorted(slices.Values(s.from)))
	at := make([]int, len(vars))
	for k, v := range vars {
		at[k], _ = slices.BinarySearch(s.vars, v)
	}
	if err := parallel.Do(ctx, 0, len(o.shards), func(_, i int) error { return o.shards[i].tiles[c].keep(ctx, at) }); err != nil {
		return err
	}
	if o.owned {
		o.table.dropped(c, vars, o.shards)
	}
	s.lie(vars, o.outputs)
	return nil
}

// compacts reports whether so few of the stored columns are alive that the others should be
// removed.
func compacts(alive, stored int) bool { return 4*alive <= 3*stored }
