package fsa_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/internal/need"
)

// The true variables of a sparse table are found among many rare columns, which fit the noise of their few rows with large
// coefficients.
func TestRareColumns(t *testing.T) {
	need.Long(t)
	const rows, cols, relevant, cells = 5000, 10000, 20, 20
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 1000))
		block := &data.Block{Rows: rows, Start: []int{0}}
		y := make([]float64, rows)
		for i := range y {
			var row []uint32
			for range cells { // the higher the number of a column, the rarer it is
				row = append(row, uint32(cols*rng.Float64()*rng.Float64()))
			}
			for j := range uint32(relevant) {
				if rng.IntN(4) == 0 {
					row = append(row, j)
				}
			}
			slices.Sort(row)
			y[i] = rng.NormFloat64()
			for _, j := range slices.Compact(row) {
				v := 1 + rng.ExpFloat64()
				block.Index, block.Value = append(block.Index, j), append(block.Value, v)
				if j < relevant {
					y[i] += v
				}
			}
			block.Start = append(block.Start, len(block.Index))
		}
		for _, loss := range []string{"squared", "logistic"} {
			target := slices.Clone(y)
			if loss == "logistic" {
				for i, v := range y {
					if target[i] = 0; v > 10 {
						target[i] = 1
					}
				}
			}
			b := data.NewBuilder("rare", &data.Schema{Width: cols, Sparse: true}, data.Roles{TargetVector: &data.Vector{Values: target}})
			if err := b.Add(block); err != nil {
				t.Fatal(err)
			}
			d, err := b.Dataset(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			m, err := fsa.Fit(t.Context(), d, fsa.Options{K: relevant, Loss: loss})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range m.Selected() {
				if v.Index >= relevant {
					t.Errorf("seed %d, %s: the irrelevant column %d was selected", seed, loss, v.Index)
				}
			}
		}
	}
}

// More rows do not make it harder to find the true variables, also where steps begin to use minibatches.
func TestMoreSparseRows(t *testing.T) {
	need.Long(t)
	const cols, relevant, cells = 5000, 20, 30
	found := map[int]int{}
	for seed := range uint64(3) {
		for _, rows := range []int{1500, 2500, 5000} {
			rng := rand.New(rand.NewPCG(seed, 2000))
			effect := make([]float64, relevant)
			for j := range effect {
				effect[j] = float64(2*rng.IntN(2) - 1)
			}
			block := &data.Block{Rows: rows, Start: []int{0}}
			y := make([]float64, rows)
			for i := range y {
				row := make([]uint32, 0, cells+relevant)
				for range cells {
					row = append(row, relevant+uint32((cols-relevant)*rng.Float64()*rng.Float64()))
				}
				z := rng.NormFloat64()
				for j := range uint32(relevant) {
					if rng.IntN(5+int(j)) == 0 { // in a fifth of the rows or fewer
						row = append(row, j)
						z += effect[j]
					}
				}
				slices.Sort(row)
				for _, j := range slices.Compact(row) {
					block.Index, block.Value = append(block.Index, j), append(block.Value, 1)
				}
				block.Start = append(block.Start, len(block.Index))
				if z > 0 {
					y[i] = 1
				}
			}
			b := data.NewBuilder("noisy", &data.Schema{Width: cols, Sparse: true}, data.Roles{TargetVector: &data.Vector{Values: y}})
			if err := b.Add(block); err != nil {
				t.Fatal(err)
			}
			d, err := b.Dataset(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range fit(t, d, fsa.Options{K: relevant}).Selected() {
				if v.Index < relevant {
					found[rows]++
				}
			}
		}
	}
	t.Logf("found of %d: %v", 3*relevant, found)
	if found[2500] < found[1500] || found[5000] < found[2500] {
		t.Errorf("by number of rows, %v of %d columns were found", found, 3*relevant)
	}
}

// An irrelevant column in large units, such as a time among word counts, changes nothing.
func TestLargeColumnAmongWords(t *testing.T) {
	need.Long(t)
	const rows, cols, relevant = 1000, 2000, 10
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 4000))
		block := &data.Block{Rows: rows, Start: []int{0}}
		y := make([]float64, rows)
		for i := range y {
			z := rng.NormFloat64() / 2
			for j := range uint32(cols) {
				if share := 10; j < relevant && rng.IntN(share) == 0 || rng.IntN(5*share) == 0 {
					block.Index, block.Value = append(block.Index, j), append(block.Value, 1)
					if j < relevant {
						z += 3*float64(j%2) - 1.5
					}
				}
			}
			block.Index, block.Value = append(block.Index, cols), append(block.Value, 1.6e9+1e8*rng.Float64())
			block.Start = append(block.Start, len(block.Index))
			if z > 0 {
				y[i] = 1
			}
		}
		b := data.NewBuilder("times", &data.Schema{Width: cols + 1, Sparse: true}, data.Roles{TargetVector: &data.Vector{Values: y}})
		if err := b.Add(block); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m := fit(t, d, fsa.Options{K: relevant})
		if got := found(m, relevant); got < relevant || m.Training().Metrics["auc"] < 0.8 {
			t.Errorf("seed %d: %d of %d columns were found, %v", seed, got, relevant, m.Training().Metrics)
		}
	}
}
