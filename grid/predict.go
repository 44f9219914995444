package grid

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"time"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Cluster is what a fit is predicted for: machines with one process each.
type Cluster struct {
	Machines int
	Network  float64 // bytes that a machine sends in a second, and receives at the same time
	Latency  float64 // seconds that a message takes
	Cells    float64 // that a machine multiplies in a second, both ways; see [Rate]
}

// Work is a descent: of how many steps an epoch is, how many epochs there are, and in how many passes over
// all columns that results, as columns go.
type Work struct {
	Rows, Columns int
	Outputs       int // coefficients of a column
	Steps, Epochs int
	Passes        float64
}

// Prediction is how long a cluster takes for a descent, and what a machine has to hold and send.
type Prediction struct {
	Rows, Columns int     // of the grid; 0 if there is none for so many machines
	Part          float64 // bytes of the numbers of a machine
	Sent          float64 // bytes that a machine sends in a first epoch
	Multiplying   float64 // seconds of a first epoch
	Talking       float64 // seconds of it that messages take
	Descent       float64 // seconds of all epochs
}

// Predict says what a descent takes, if nothing but multiplying and messages takes time: a part is read twice in an
// epoch; a sum over n processes of a vector takes 2(n−1)/n times the vector and 2·log₂(n) messages one after the other. A step makes two sums,
// and gathers a few numbers before each, along a row and along a column of the grid.
func Predict(c Cluster, w Work) Prediction {
	var p Prediction
	if p.Rows, p.Columns = Shape(c.Machines, NewCut(w.Rows, w.Columns)); p.Rows == 0 {
		return p
	}
	rows, columns := math.Ceil(float64(w.Rows)/float64(p.Rows)), math.Ceil(float64(w.Columns)/float64(p.Columns))
	p.Part = 4 * rows * columns
	p.Multiplying = float64(w.Outputs) * rows * columns / c.Cells
	share := func(n int) float64 { return 2 * float64(n-1) / float64(n) }
	messages := func(n int) float64 { return 2 * 2 * float64(bits.Len(uint(n-1))) } // of a sum and of what is gathered
	margins := 8 * share(p.Columns) * rows * float64(w.Outputs)
	gradients := 8 * share(p.Rows) * columns * float64(w.Outputs*w.Steps)
	waits := c.Latency * float64(w.Steps) * (messages(p.Rows) + messages(p.Columns))
	p.Sent = margins + gradients
	p.Talking = p.Sent/c.Network + waits
	p.Descent = p.Multiplying*w.Passes + float64(w.Epochs)*(margins/c.Network+waits) + w.Passes*gradients/c.Network
	return p
}

// Rate measures how many cells this machine multiplies in a second, both ways: z = Xβ and then Xᵀr, with all its threads and
// numbers that no cache holds.
func Rate(ctx context.Context) (float64, error) {
	const rows, columns, rounds = 1024, 8192, 3
	threads := runtime.GOMAXPROCS(0)
	x := make([]matrix.Rows, threads)
	for i := range x {
		cells := make([]float32, rows*columns)
		for j := range cells {
			cells[j] = 1 // zeros of the system would all be one page
		}
		var err error
		if x[i], err = matrix.NewDense(rows, columns, cells).Slice(ctx, 0, rows); err != nil {
			return 0, err
		}
	}
	best := math.Inf(1)
	for range rounds {
		start := time.Now()
		if err := parallel.Do(ctx, threads, threads, func(_, i int) error {
			z, b := make([]float64, rows), make([]float64, columns)
			x[i].Mul(z, b)
			x[i].MulT(b, z)
			return nil
		}); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start).Seconds())
	}
	return float64(threads) * rows * columns / best, nil
}
