package bench

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"fsa/internal/grid"
)

// gridFit is a way to fit a table: a grid of r×c processes, or none.
type gridFit struct {
	r, c, threads int
	mpi           bool // under mpirun, and otherwise over TCP
}

// gridFits returns the ways that a machine with this number of cores has. It begins with the fit to which
// others are compared.
func gridFits(cores int, mpi bool) []gridFit {
	ways := []gridFit{{1, 1, 1, false}, {2, 1, 1, false}, {1, 2, 1, false}, {0, 0, 2, false}}
	if mpi {
		ways = append(ways, gridFit{2, 1, 1, true}, gridFit{1, 2, 1, true})
	}
	if cores < fourCores {
		return ways
	}
	ways = append(ways, gridFit{4, 1, 1, false}, gridFit{2, 2, 1, false}, gridFit{0, 0, 4, false})
	if mpi {
		ways = append(ways, gridFit{4, 1, 1, true})
	}
	return ways
}

// fourCores is the number of cores of a machine on which four processes are measured, too.
const fourCores = 4

func (g gridFit) String() string {
	if g.r == 0 {
		return ""
	}
	return fmt.Sprintf("%dx%d", g.r, g.c)
}

// oneMachine is the network between processes of one machine: its memory, and the time in which one
// process wakes another.
var oneMachine = grid.Cluster{Network: 4e9, Latency: 10e-6}

// onGrid fits tables by one process, by several, and by the threads of one.
func (b *bencher) onGrid(ctx context.Context) error {
	if b.Program == "" || b.report.Machine.Cores < 2 {
		return nil
	}
	launcher, err := findLauncher()
	if err != nil {
		b.report.Missing = append(b.report.Missing, Missing{"processes under mpirun", err.Error()})
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
	ways := gridFits(b.report.Machine.Cores, launcher != "")
	var read, read4 []float64
	fit, descent, over, peak := make([][]float64, len(ways)), make([][]float64, len(ways)), make([][2][]float64, len(ways)), make([]float64, len(ways))
	var last gridCost
	for i := range b.gridRepeats {
		rates, err := b.readers(ctx)
		if err != nil {
			return to, err
		}
		if read = append(read, rates[1]/rates[0]); len(rates) > 2 {
			read4 = append(read4, rates[2]/rates[0])
		}
		var one gridCost
		for w, way := range ways {
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
	if to.Read = median(read); len(read4) > 0 {
		to.Read4 = median(read4)
	}
	for w, way := range ways {
		g := GridWay{Grid: way.String(), MPI: way.mpi, Threads: way.threads, Fit: median(fit[w]), Descent: median(descent[w]), FitOver: median(over[w][0]), DescentOver: median(over[w][1]), PeakOverPart: peak[w]}
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

// readers returns the rates of one and of two readers of memory, and of four if there are as many
// cores.
func (b *bencher) readers(ctx context.Context) (rates []float64, err error) {
	read := newMemory(b.buffer).product(commonWidth)
	for n := 1; n <= min(b.report.Machine.Cores, fourCores); n *= 2 {
		rate, err := read.rate(ctx, n)
		if err != nil {
			return nil, err
		}
		rates = append(rates, rate)
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
	processes := way.r * way.c
	if processes > 0 {
		args = append(args, "--grid", way.String())
	}
	var out []byte
	var err error
	switch {
	case way.mpi:
		out, err = outputOf(ctx, append([]string{launcher, "-n", strconv.Itoa(processes), "-bind-to", "core"}, args...))
	case processes > 1:
		out, err = overTCP(ctx, processes, args)
	default:
		out, err = outputOf(ctx, args)
	}
	if err != nil {
		return gridCost{}, fmt.Errorf("bench: the fit on a grid %v: %w", way, err)
	}
	var c gridCost
	if err := json.Unmarshal(out, &c); err != nil {
		return c, err
	}
	return c, c.readEvents(filepath.Join(folder, "events.jsonl"))
}

// outputOf runs a command.
func outputOf(ctx context.Context, args []string, env ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"), env...)
	cmd.WaitDelay = time.Second
	return output(cmd)
}

// overTCP runs a command in processes that meet at a free port, and returns what the first one
// prints.
func overTCP(ctx context.Context, processes int, args []string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	at := l.Addr().String()
	l.Close()
	token := "FSA_TOKEN=" + rand.Text()
	outs, failed := make([][]byte, processes), make([]error, processes)
	var wait sync.WaitGroup
	for rank := range processes {
		wait.Go(func() {
			own := append(slices.Clone(args), "--rendezvous", at, "--rank", strconv.Itoa(rank))
			if outs[rank], failed[rank] = outputOf(ctx, own, token); failed[rank] != nil {
				cancel() // the others would wait for it
			}
		})
	}
	wait.Wait()
	return outs[0], errors.Join(failed...)
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
