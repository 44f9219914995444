package validate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

const seed = 25

// table holds rows to divide.
type table struct {
	class, group, weight []float64
	keys                 []uint64
}

// draw returns random rows of three classes in groups, with integer weights.
func draw(rng *rand.Rand, n int) (t table) {
	for range n {
		t.class = append(t.class, []float64{-1, 0.5, 7}[min(rng.IntN(6), 2)])
		t.group = append(t.group, float64(rng.IntN(n/4)))
		t.weight = append(t.weight, float64(1+rng.IntN(3)))
		t.keys = append(t.keys, rng.Uint64())
	}
	return t
}

// row returns the table of some rows, which may be repeated.
func (t table) rows(list []int) (to table) {
	for _, i := range list {
		to.class = append(to.class, t.class[i])
		to.group = append(to.group, t.group[i])
		to.weight = append(to.weight, t.weight[i])
		to.keys = append(to.keys, t.keys[i])
	}
	return to
}

func split(t *testing.T, s Scheme, rows int) *Folds {
	t.Helper()
	f, err := s.Split(rows)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// checkPartition checks that the splits of a repeat test each row once and train on the others.
func checkPartition(t *testing.T, f *Folds, rows int) {
	t.Helper()
	each := f.Len() / f.Repeats()
	for r := range f.Repeats() {
		tested := make([]int, rows)
		for i := range each {
			s := f.Split(r*each + i)
			if len(s.Train) == 0 || len(s.Test) == 0 || len(s.Train)+len(s.Test) != rows {
				t.Fatalf("split %d has %d and %d of %d rows", i, len(s.Train), len(s.Test), rows)
			}
			if !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) {
				t.Fatalf("split %d is out of order", i)
			}
			for _, row := range s.Test {
				tested[row]++
				if _, also := slices.BinarySearch(s.Train, row); also {
					t.Fatalf("row %d is a training row and a test row", row)
				}
			}
		}
		if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
			t.Fatalf("rows are tested %v times", tested)
		}
	}
}

func TestFoldsAreEven(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 50 {
		n := 60 + rng.IntN(100)
		data := draw(rng, n)
		s := Scheme{Folds: 2 + rng.IntN(5), Repeats: 1 + rng.IntN(3), Seed: rng.Uint64(), Class: data.class}
		f := split(t, s, n)
		checkPartition(t, f, n)
		if f.Len() != s.Folds*s.Repeats || f.Repeats() != s.Repeats {
			t.Fatalf("%d splits in %d repeats of %+v", f.Len(), f.Repeats(), s)
		}
		for r := range s.Repeats {
			count := map[float64][]int{}
			for i := range s.Folds {
				of := map[float64]int{}
				test := f.Split(r*s.Folds + i).Test
				for _, row := range test {
					of[data.class[row]]++
				}
				for _, c := range []float64{-1, 0.5, 7} {
					count[c] = append(count[c], of[c])
				}
				count[math.Inf(1)] = append(count[math.Inf(1)], len(test))
			}
			for c, of := range count {
				if slices.Max(of)-slices.Min(of) > 1 {
					t.Fatalf("class %v has %v rows in the folds (seed %d)", c, of, seed)
				}
			}
		}
	}
}

// Different seeds and different repeats divide the rows differently.
func TestFoldsDependOnSeed(t *testing.T) {
	a := split(t, Scheme{Folds: 3, Repeats: 2, Seed: 1}, 30)
	b := split(t, Scheme{Folds: 3, Repeats: 2, Seed: 1}, 30)
	c := split(t, Scheme{Folds: 3, Repeats: 2, Seed: 2}, 30)
	for r := range 2 {
		if !slices.Equal(a.of[r], b.of[r]) {
			t.Error("one seed gives two results")
		}
		if slices.Equal(a.of[r], c.of[r]) {
			t.Error("two seeds give one result")
		}
	}
	if slices.Equal(a.of[0], a.of[1]) {
		t.Error("two repeats give one result")
	}
	pairs, err := Scheme{Seed: 1}.Pairs(30, 1)
	if err != nil {
		t.Fatal(err)
	}
	if two := split(t, Scheme{Folds: 2, Seed: 1}, 30); slices.Equal(pairs.of[0], two.of[0]) {
		t.Error("two purposes give one result")
	}
}

// contents returns the keys that each split tests, a row of weight 2 twice.
func contents(f *Folds, data table) (list [][]uint64) {
	for i := range f.Len() {
		var keys []uint64
		for _, row := range f.Split(i).Test {
			for range int(data.weight[row]) {
				keys = append(keys, data.keys[row])
			}
		}
		slices.Sort(keys)
		list = append(list, keys)
	}
	return list
}

// With keys, the order of rows and rows without weight do not matter, and a row of weight 2 is equivalent to the row twice.
func TestKeysDecide(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for round := range 60 {
		n := 40 + rng.IntN(40)
		data := draw(rng, n)
		scheme := func(data table) Scheme {
			s := Scheme{Folds: 3, Repeats: 2, Seed: 5, Weight: data.weight, Keys: data.keys}
			if round%2 == 1 {
				s.Class = data.class
			}
			if round%3 == 1 {
				s.Group = data.group
			}
			return s
		}
		want := contents(split(t, scheme(data), n), data)

		shuffled := data.rows(rng.Perm(n))
		if got := contents(split(t, scheme(shuffled), n), shuffled); !equal(got, want) {
			t.Fatalf("round %d: the order of rows changes the folds (seed %d)", round, seed)
		}
		var list []int
		for i := range n {
			for range int(data.weight[i]) {
				list = append(list, i)
			}
		}
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		copies := data.rows(list)
		for i := range copies.weight {
			copies.weight[i] = 1
		}
		s := scheme(copies)
		if round%4 == 0 {
			s.Weight = nil
		}
		if got := contents(split(t, s, len(list)), copies); !equal(got, want) {
			t.Fatalf("round %d: copies and weights give different folds (seed %d)", round, seed)
		}
		more := data.rows(append([]int{0, 1}, rng.Perm(n)...))
		more.weight[0], more.weight[1] = 0, 0
		more.keys[0], more.group[1], more.class[1] = rng.Uint64(), 1e6, 99
		if got := contents(split(t, scheme(more), n+2), more); !equal(got, want) {
			t.Fatalf("round %d: rows without weight change the folds (seed %d)", round, seed)
		}
		heavy := data.rows(rng.Perm(n))
		for i := range heavy.weight {
			heavy.weight[i] *= 4
		}
		f := split(t, scheme(heavy), n)
		for i := range heavy.weight {
			heavy.weight[i] /= 4
		}
		if got := contents(f, heavy); !equal(got, want) {
			t.Fatalf("round %d: all weights times 4 change the folds (seed %d)", round, seed)
		}
	}
}

func equal(a, b [][]uint64) bool {
	return slices.EqualFunc(a, b, func(a, b []uint64) bool { return slices.Equal(a, b) })
}

// Groups and queries stay whole, and the weights of the folds are as equal as the sizes of groups allow.
func TestGroupsAreWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for round := range 50 {
		n := 100 + rng.IntN(100)
		data := draw(rng, n)
		var query []int
		if round%2 == 0 {
			// Rows are sorted by group, so groups can serve as queries.
			slices.Sort(data.group)
			for i := range data.group {
				if i == 0 || data.group[i] != data.group[i-1] {
					query = append(query, i)
				}
			}
			query = append(query, n)
		}
		s := Scheme{Folds: 4, Seed: uint64(round), Weight: data.weight, Group: data.group, Query: query}
		if round%4 == 0 {
			s.Group = nil
		}
		f := split(t, s, n)
		checkPartition(t, f, n)
		part, weight, size := map[float64]int{}, make([]float64, 4), map[float64]float64{}
		for i := range f.Len() {
			for _, row := range f.Split(i).Test {
				g := data.group[row]
				if in, ok := part[g]; ok && in != i {
					t.Fatalf("group %v is in folds %d and %d (seed %d)", g, in, i, seed)
				}
				part[g] = i
				weight[i] += data.weight[row]
				size[g] += data.weight[row]
			}
		}
		var largest float64
		for _, w := range size {
			largest = max(largest, w)
		}
		if slices.Max(weight)-slices.Min(weight) > largest {
			t.Fatalf("folds weigh %v, the largest group %v (seed %d)", weight, largest, seed)
		}
	}
}

func TestEqualRowsStayTogether(t *testing.T) {
	keys := make([]uint64, 60)
	for i := range keys {
		keys[i] = uint64(i % 12)
	}
	f := split(t, Scheme{Folds: 4, Keys: keys}, len(keys))
	checkPartition(t, f, len(keys))
	for i := range keys {
		if f.of[0][i] != f.of[0][i%12] {
			t.Fatalf("rows %d and %d are equal, but in folds %d and %d", i, i%12, f.of[0][i], f.of[0][i%12])
		}
	}
}

func TestForwardChaining(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for round := range 50 {
		n := 50 + rng.IntN(50)
		data := draw(rng, n)
		time := make([]float64, n)
		for i := range time {
			time[i] = float64(rng.IntN(40))
		}
		s := Scheme{Folds: 1 + rng.IntN(5), Time: time, Weight: data.weight}
		f := split(t, s, n)
		if f.Len() != s.Folds || f.Repeats() != 1 {
			t.Fatalf("%d splits", f.Len())
		}
		for i := range f.Len() {
			sp := f.Split(i)
			learned, tested := math.Inf(-1), math.Inf(1)
			for _, row := range sp.Train {
				learned = max(learned, time[row])
			}
			var weight, total float64
			for _, row := range sp.Test {
				tested = min(tested, time[row])
				weight += data.weight[row]
			}
			for _, w := range data.weight {
				total += w
			}
			if !(learned < tested) {
				t.Fatalf("round %d: trained up to time %v, tested from %v (seed %d)", round, learned, tested, seed)
			}
			if share := total / float64(s.Folds+1); weight < share/3 || weight > 3*share {
				t.Fatalf("round %d: a block has weight %v, want %v (seed %d)", round, weight, share, seed)
			}
			if i > 0 {
				before := f.Split(i - 1)
				all := append(slices.Clone(before.Train), before.Test...)
				slices.Sort(all)
				if !slices.Equal(all, sp.Train) {
					t.Fatalf("round %d: the window does not grow (seed %d)", round, seed)
				}
			}
		}
	}
	// Rows in the order of time are divided evenly.
	row := make([]float64, 22)
	for i := range row {
		row[i] = float64(i)
	}
	f := split(t, Scheme{Time: row}, 22)
	for i := range f.Len() {
		if got, want := f.Split(i).Test, []int{2 * (i + 1), 2*(i+1) + 1}; !slices.Equal(got, want) {
			t.Errorf("fold %d of 10 tests %v, want %v", i, got, want)
		}
	}
	// Patients 1 and 2 overlap in time, patient 3 comes later.
	f = split(t, Scheme{Time: []float64{1, 2, 3, 4, 5, 6}, Group: []float64{1, 2, 1, 2, 3, 3}}, 6)
	if s := f.Split(0); f.Len() != 1 || !slices.Equal(s.Train, []int{0, 1, 2, 3}) || !slices.Equal(s.Test, []int{4, 5}) {
		t.Errorf("%d splits, the first %v", f.Len(), s)
	}
}

func TestGivenFolds(t *testing.T) {
	f := split(t, Scheme{Fold: []float64{7, 3, 7, -2, 3, 3}}, 6)
	checkPartition(t, f, 6)
	for i, want := range [][]int{{3}, {1, 4, 5}, {0, 2}} {
		if got := f.Split(i).Test; !slices.Equal(got, want) {
			t.Errorf("fold %d tests %v, want %v", i, got, want)
		}
	}
}

func TestDefaultNumberOfFolds(t *testing.T) {
	for _, c := range []struct {
		rows int
		s    Scheme
		want int
	}{
		{50, Scheme{}, 10},
		{7, Scheme{}, 7},
		{2, Scheme{}, 2},
		{8, Scheme{Class: []float64{0, 0, 0, 0, 0, 1, 1, 1}}, 3},
		{6, Scheme{Group: []float64{0, 0, 0, 1, 1, 2}}, 3},
		{4, Scheme{Time: []float64{0, 1, 2, 3}}, 3},
	} {
		f := split(t, c.s, c.rows)
		if f.Len() != c.want {
			t.Errorf("%d folds of %d rows of %+v, want %d", f.Len(), c.rows, c.s, c.want)
		}
	}
	// Leave-one-out.
	checkPartition(t, split(t, Scheme{Folds: 23}, 23), 23)
}

func TestPairsAreHalves(t *testing.T) {
	f, err := Scheme{Seed: 3}.Pairs(101, 50)
	if err != nil {
		t.Fatal(err)
	}
	checkPartition(t, f, 101)
	if f.Len() != 100 {
		t.Fatalf("%d half samples", f.Len())
	}
	together := make([]int, 101) // number of times that a row is in the same half as row 0
	for i := range 50 {
		a, b := f.Split(2*i), f.Split(2*i+1)
		if !slices.Equal(a.Train, b.Test) || !slices.Equal(a.Test, b.Train) {
			t.Fatalf("pair %d is not complementary", i)
		}
		if d := len(a.Train) - len(b.Train); d < -1 || d > 1 {
			t.Fatalf("halves of %d and %d rows", len(a.Train), len(b.Train))
		}
		for row := range together {
			if f.of[i][row] == f.of[i][0] {
				together[row]++
			}
		}
	}
	// 50 tosses of a coin stay within 5 standard deviations.
	if low, high := slices.Min(together[1:]), slices.Max(together[1:]); low < 7 || high > 43 {
		t.Errorf("rows are in the half of another from %d to %d times of 50", low, high)
	}
}

func TestHoldout(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 6))
	for round := range 50 {
		n := 100 + rng.IntN(100)
		data := draw(rng, n)
		share := 0.1 + 0.8*rng.Float64()
		s, err := Scheme{Seed: uint64(round), Class: data.class}.Holdout(n, share)
		if err != nil {
			t.Fatal(err)
		}
		checkPartition(t, &Folds{parts: 2, of: [][]uint16{parts(s, n)}}, n)
		count := map[float64][2]float64{}
		for _, row := range s.Test {
			c := count[data.class[row]]
			c[0]++
			count[data.class[row]] = c
		}
		for _, class := range data.class {
			c := count[class]
			c[1]++
			count[class] = c
		}
		for class, c := range count {
			if math.Abs(c[0]-share*c[1]) > 0.5+1e-9 {
				t.Fatalf("%v of %v rows of class %v are held out, share %v (seed %d)", c[0], c[1], class, share, seed)
			}
		}
	}
	// The last rows in time, whole groups, and one large group that stays.
	s, err := Scheme{Time: []float64{5, 4, 3, 2, 1}}.Holdout(5, 0.4)
	if err != nil || !slices.Equal(s.Test, []int{0, 1}) || !slices.Equal(s.Train, []int{2, 3, 4}) {
		t.Errorf("held out %v, %v", s, err)
	}
	group := []float64{1, 1, 1, 1, 1, 2, 3, 4, 5, 6}
	s, err = Scheme{Group: group}.Holdout(10, 0.2)
	if err != nil || len(s.Test) != 2 || s.Test[0] < 5 {
		t.Errorf("held out %v, %v", s, err)
	}
}

// parts turns a split into the part of each row.
func parts(s Split, rows int) []uint16 {
	of := make([]uint16, rows)
	for _, row := range s.Train {
		of[row] = 1
	}
	return of
}

// A class of fewer rows than folds is refused unless that is allowed; then every fold still trains on
// all classes.
func TestRareClass(t *testing.T) {
	class := make([]float64, 40)
	class[3], class[17] = 1, 1
	scheme := Scheme{Folds: 10, Class: class}
	if _, err := scheme.Split(len(class)); !errors.Is(err, ErrFolds) {
		t.Errorf("two rows of a class in ten folds: %v", err)
	}
	scheme.Rare = true
	folds, err := scheme.Split(len(class))
	if err != nil || folds.Len() != 10 {
		t.Fatalf("%v: %v", folds, err)
	}
	for i := range folds.Len() {
		s := folds.Split(i)
		if !slices.Contains(s.Train, 3) && !slices.Contains(s.Train, 17) || len(s.Test) != 4 {
			t.Errorf("fold %d: %d rows are tested, and the rare class is not learned", i, len(s.Test))
		}
	}
	class[17] = 0
	if _, err := scheme.Split(len(class)); !errors.Is(err, ErrFolds) {
		t.Errorf("one row of a class: %v", err)
	}
}
