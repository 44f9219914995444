package grid_test

import (
	"fmt"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/grid"
)

// The table of docs/scale.md: 10⁹ rows and 10⁶ columns on machines that read memory at 200 GB/s.
// They read a part once if the grid has one column, and twice otherwise.
func ExamplePredict() {
	const rows, columns, epochs, k = 1_000_000_000, 1_000_000, 500, 8
	alive := anneal.Alive(anneal.Inverse(100), epochs, columns, k)
	for _, c := range []struct {
		machines int
		network  float64
		steps    int
	}{{256, 10e9, 1}, {4096, 10e9, 1}, {16384, 10e9, 1}, {16384, 1e9, 1}, {16384, 10e9, 1000}} {
		p := grid.Predict(grid.Cluster{Machines: c.machines, Network: c.network / 8, Latency: 50e-6, Speed: grid.Speed{Fused: 200e9 / 4, Apart: 200e9 / 8}}, grid.Work{Rows: rows, Columns: columns, Outputs: 1, Steps: c.steps, Alive: alive})
		fmt.Printf("%d×%d, %.0f Gbit, %d steps: %.0f GB, %.0f MB, %.1f s and %.2f s, %.0f s\n", p.Rows, p.Columns, c.network/1e9, c.steps, p.Part/1e9, p.Sent/1e6, p.Multiplying, p.Talking, p.Descent)
	}
	// Output:
	// 256×1, 10 Gbit, 1 steps: 15625 GB, 16 MB, 78.1 s and 0.01 s, 1576 s
	// 256×16, 10 Gbit, 1 steps: 977 GB, 60 MB, 9.8 s and 0.05 s, 170 s
	// 256×64, 10 Gbit, 1 steps: 244 GB, 62 MB, 2.4 s and 0.05 s, 47 s
	// 256×64, 1 Gbit, 1 steps: 244 GB, 62 MB, 2.4 s and 0.50 s, 90 s
	// 256×64, 10 Gbit, 1000 steps: 244 GB, 311 MB, 2.4 s and 3.05 s, 1452 s
}

// TestPredict expects the predicted time to fall with the number of machines as far as messages
// allow, and no grid for a number of machines that forms none.
func TestPredict(t *testing.T) {
	work := grid.Work{Rows: 1_000_000, Columns: 10_000, Outputs: 1, Steps: 1, Alive: slices.Repeat([]int{9_999}, 10)}
	fast := grid.Cluster{Network: 1e18, Speed: grid.Speed{Fused: 1e9, Apart: 1e9}}
	for _, n := range []int{1, 2, 4, 16} {
		fast.Machines = n
		p := grid.Predict(fast, work)
		if want := 10 * 1e10 / 1e9 / float64(n); p.Descent < want || p.Descent > 1.01*want {
			t.Errorf("%d machines: %g s, want %g", n, p.Descent, want)
		}
		if want := grid.Moved(p.Rows, p.Columns, work.Rows, work.Columns); p.Sent < want || p.Sent > 1.01*want {
			t.Errorf("%d machines send %g bytes, want %g", n, p.Sent, want)
		}
	}
	slow := grid.Cluster{Machines: 16, Network: 1e6, Latency: 1e-3, Speed: grid.Speed{Fused: 1e9, Apart: 1e9}}
	if p := grid.Predict(slow, work); p.Descent < 10*p.Multiplying || p.Talking < p.Sent/1e6 {
		t.Errorf("a slow network takes no time: %+v", p)
	}
	fast.Machines = 1_000_003 // a prime
	if p := grid.Predict(fast, work); p.Rows != 0 {
		t.Errorf("a grid of %d machines: %+v", fast.Machines, p)
	}
}

func TestRate(t *testing.T) {
	if rate, err := grid.Rate(t.Context()); err != nil || rate.Fused < 1e6 || rate.Apart < 1e6 || rate.Row > 1e-6 {
		t.Errorf("%+v, %v", rate, err)
	}
}
