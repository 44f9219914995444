package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"fsa/internal/grid"
)

// gridFit is a way to fit a table: a grid of r×c processes, or none.
type gridFit struct{ r, c, threads int }

// gridFits begins with the fit to which others are compared.
var gridFits = []gridFit{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {0, 0, 2}}

func (g gridFit) String() string {
	if g.r == 0 {
		return ""
	}
	return fmt.Sprintf("%dx%d", g.r, g.c)
}

// oneMachine is the network between processes of one machine: its memory, and the time in which one
// process wakes another.
var oneMachine = grid.Cluster{Network: 4e9, Latency: 10e-6}

// onGrid fits tables by one process, by several under mpirun, and by the threads of one.
func (b *bencher) onGrid(ctx context.Context) error {
	launcher, err := findLauncher()
	if err != nil {
		b.report.Missing = append(b.report.Missing, Missing{"grid", err.Error()})
	}
	if b.Program == "" || launcher == "" || b.report.Machine.Cores < 2 {
		return nil
	}
	for _, s := range b.gridShapes {
		path := filepath.Join(b.dir, "grid.npy")
		b.Log("grid: writing %d×%d", s.n, s.m)
		if err := b.generate(ctx, "equicorrelated", s, path); err != nil {
			return err
		}
		for _, batch := range []string{"all", strconv.Itoa(gridBatch)} {
			g, err := b.onGrids(ctx, launcher, path, s, batch)
			if err != nil {
				return err
			}
			b.report.Grids = append(b.report.Grids, g)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// gridBatch is the number of rows of a minibatch of large tables.
const gridBatch = 500

// findLauncher returns the program that starts the processes of a job.
func findLauncher() (string, error) {
	for _, name := range []string{"mpirun.openmpi", "mpirun.mpich", "mpirun", "mpiexec"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no mpirun: install Open MPI or MPICH")
}

// onGrids fits a table in all ways, in turn.
func (b *bencher) onGrids(ctx context.Context, launcher, path string, s shape, batch string) (OnGrid, error) {
	to := OnGrid{N: s.n, M: s.m, K: s.k, Batch: batch}
	var read []float64
	fit, descent, over, peak := make([][]float64, len(gridFits)), make([][]float64, len(gridFits)), make([][2][]float64, len(gridFits)), make([]float64, len(gridFits))
	var last gridCost
	for i := range b.gridRepeats {
		rates, err := b.readers(ctx)
		if err != nil {
			return to, err
		}
		read = append(read, rates[1]/rates[0])
		var one gridCost
		for w, way := range gridFits {
			b.Log("grid: %d×%d, batch %s, grid %v, %d of %d", s.n, s.m, batch, way, i+1, b.gridRepeats)
			took, err := b.fitOnGrid(ctx, launcher, path, s.k, batch, way)
			if err != nil {
				return to, err
			}
			if last = took; w == 0 {
				one = took
			}
			fit[w], descent[w] = append(fit[w], took.Fit), append(descent[w], took.descent)
			over[w][0], over[w][1] = append(over[w][0], one.Fit/took.Fit), append(over[w][1], one.descent/took.descent)
			peak[w] = float64(took.PeakBytes) / (4 * float64(s.n) * float64(s.m) / float64(max(way.r*way.c, 1)))
		}
	}
	to.Read = median(read)
	for w, way := range gridFits {
		g := GridWay{Grid: way.String(), Threads: way.threads, Fit: median(fit[w]), Descent: median(descent[w]), FitOver: median(over[w][0]), DescentOver: median(over[w][1]), PeakOverPart: peak[w]}
		if way.r > 0 {
			steps := 1
			if rows, err := strconv.Atoi(batch); err == nil {
				steps = (s.n + rows - 1) / rows
			}
			var err error
			if g.Predicted, err = predicted(ctx, way, s, steps, last); err != nil {
				return to, err
			}
			g.Sent = grid.Moved(way.r, way.c, s.n, steps*s.m)
		}
		to.Ways = append(to.Ways, g)
	}
	return to, nil
}

// readers returns the rates of one and of two readers of memory.
func (b *bencher) readers(ctx context.Context) (rates [2]float64, err error) {
	read := newMemory(b.buffer).product(commonWidth)
	for i := range rates {
		if rates[i], err = read.rate(ctx, i+1); err != nil {
			return rates, err
		}
	}
	return rates, nil
}

// predicted returns the predicted seconds of a descent on processes that share the memory of this
// machine.
func predicted(ctx context.Context, way gridFit, s shape, steps int, took gridCost) (float64, error) {
	processes := way.r * way.c
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processes))
	rate, err := grid.Rate(ctx)
	if err != nil {
		return 0, err
	}
	c := oneMachine
	c.Machines, c.Speed = processes, rate.Share(processes)
	alive := took.alive[:len(took.alive)-1] // from the second epoch on, where the timing of the descent begins
	return grid.PredictOn(c, grid.Work{Rows: s.n, Columns: s.m, Outputs: 1, Steps: steps, Alive: alive}, way.r, way.c).Descent, nil
}

// gridCost is the cost of a fit.
type gridCost struct {
	Fit       float64 `json:"seconds_fit"`
	PeakBytes int64   `json:"peak_bytes"`
	descent   float64
	alive     []int // columns after each epoch
}

// fitOnGrid fits a table with the program.
func (b *bencher) fitOnGrid(ctx context.Context, launcher, path string, k int, batch string, way gridFit) (gridCost, error) {
	folder := filepath.Join(b.dir, "grid-run")
	defer os.RemoveAll(folder)
	args := []string{b.Program, "fit", path, "-k", strconv.Itoa(k), "--quick", "--batch", batch, "--json", "--threads", strconv.Itoa(way.threads), "--out", folder}
	if way.r > 0 {
		args = append([]string{launcher, "-n", strconv.Itoa(way.r * way.c), "-bind-to", "core"}, append(args, "--grid", way.String())...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	cmd.WaitDelay = time.Second
	out, err := output(cmd)
	if err != nil {
		return gridCost{}, fmt.Errorf("bench: the fit on a grid %v: %w", way, err)
	}
	var c gridCost
	if err := json.Unmarshal(out, &c); err != nil {
		return c, err
	}
	return c, c.readEvents(filepath.Join(folder, "events.jsonl"))
}

// readEvents finds the end of each epoch, and the number of columns then.
func (c *gridCost) readEvents(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var first, last float64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e struct {
			Epoch, Variables int
			Seconds          float64
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return err
		}
		if e.Epoch == 0 {
			continue
		}
		if last = e.Seconds; e.Epoch == 1 {
			first = e.Seconds
		}
		c.alive = append(c.alive, e.Variables)
	}
	if c.descent = last - first; len(c.alive) < 2 {
		return fmt.Errorf("bench: %s has %d epochs", path, len(c.alive))
	}
	return nil
}
