package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsa/internal/need"
)

// gridKills is the number of times that a process of a grid is killed; .ci/nightly sets it.
const gridKills = "FSA_GRID_KILLS"

// job is a running fit on a grid.
type job struct {
	cmd   *exec.Cmd
	began chan struct{} // is closed when training begins, or when everything has ended
	over  chan struct{} // is closed when the last process has ended
	said  bytes.Buffer  // is complete then
}

// overTCP starts processes that communicate without MPI, by startRanks. The first argument is
// their number, and the others are the command.
const (
	overTCP    = "bash"
	startRanks = `n=$0; pids=()
for ((r = 0; r < n; r++)); do "$@" --rank $r & pids+=($!); done
code=0
for p in "${pids[@]}"; do wait $p || code=1; done
exit $code`
)

// start starts the processes of a fit.
func start(t *testing.T, launcher string, processes int, args ...string) *job {
	t.Helper()
	all := append([]string{"-n", fmt.Sprint(processes), os.Args[0]}, args...)
	switch {
	case launcher == overTCP:
		all = append([]string{"-c", startRanks}, all[1:]...)
		all = append(all, "--rendezvous", freePort(t))
	case strings.Contains(launcher, "openmpi"):
		all = append([]string{"--oversubscribe"}, all...)
	}
	j := &job{cmd: exec.Command(launcher, all...), began: make(chan struct{}), over: make(chan struct{})}
	j.cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "GOMAXPROCS=1", tokenVariable+"="+testToken)
	out, err := j.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(j.over)
		began := false
		for lines := bufio.NewScanner(out); lines.Scan(); {
			fmt.Fprintln(&j.said, lines.Text())
			if !began && strings.HasPrefix(lines.Text(), "grid ") { // of the plan
				began = true
				close(j.began)
			}
		}
		if !began {
			close(j.began)
		}
	}()
	return j
}

// end waits for all processes, whether the job was completed or not. None may hang. The launcher
// may hang after all of them have ended: mpirun of Open MPI 4.1 waits forever if a process is
// killed at the instant at which it connects to it. It is ended then.
func (j *job) end(t *testing.T) error {
	t.Helper()
	const patience, alone = 600, 60 // seconds after which a process counts as hanging
	waited, lonely := 0, 0
	for over := false; !over; {
		select {
		case <-j.over:
			over = true
		case <-time.After(time.Second):
			left := ranks(t, j.cmd.Process.Pid)
			waited, lonely = waited+1, lonely+1
			if len(left) > 0 {
				lonely = 0
			}
			if waited >= patience && len(left) > 0 {
				for _, pid := range left {
					syscall.Kill(pid, syscall.SIGKILL)
				}
				j.cmd.Process.Kill()
				<-j.over
				t.Fatalf("the job hangs\n%s", j.said.String())
			}
			if lonely == alone {
				j.cmd.Process.Kill()
			}
		}
	}
	err := j.cmd.Wait()
	if lonely >= alone {
		t.Logf("the launcher hung alone\n%s", j.said.String())
	}
	return err
}

// TestGridKills kills a process of a grid at random instants, again and again while the fit resumes
// on other grids. In the end, the model has the bytes of one from a fit that was never killed.
func TestGridKills(t *testing.T) {
	most := 4
	if n, err := strconv.Atoi(os.Getenv(gridKills)); err == nil {
		most = n
	} else {
		need.Long(t)
	}
	need.Program(t, "apt-get install bash", overTCP)
	use := []string{overTCP}
	for _, l := range launchers {
		if _, err := exec.LookPath(l); err == nil {
			use = append(use, l)
		}
	}
	pattern := gridTable(t)
	fits := [][]string{
		{"fit", pattern, "--target", "y", "-k", "3", "--quick", "--batch", "all", "--tolerance", "none", "--epochs", "1500"},
		{"fit", pattern, "--target", "y", "-k", "3", "--quick", "--batch", "100", "--tolerance", "none", "--epochs", "300", "--loss", "huber"},
	}
	wants := make([][]byte, len(fits))
	var took []time.Duration // on one process
	for i, args := range fits {
		out, since := filepath.Join(t.TempDir(), "base"), time.Now()
		must(t, append(slices.Clone(args), "--grid", "auto", "--out", out)...)
		wants[i], took = read(t, filepath.Join(out, modelName)), append(took, time.Since(since))
	}
	rng := rand.New(rand.NewPCG(22, 1))
	shapes := [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1}, {3, 2}}
	killed, resumed, done := 0, 0, 0
	for n := 0; killed < most; n++ {
		fit, out := n%len(fits), filepath.Join(t.TempDir(), "run")
		launcher := use[rng.IntN(len(use))]
		begin := func() *job {
			shape := shapes[rng.IntN(len(shapes))]
			if _, err := os.Stat(filepath.Join(out, checkpointName)); err == nil {
				resumed++
			}
			return start(t, launcher, shape[0]*shape[1], append(slices.Clone(fits[fit]),
				"--grid", fmt.Sprintf("%dx%d", shape[0], shape[1]), "--out", out, "--resume", "--checkpoint-every", "10ms", "--explain")...)
		}
		finished := false
		for range 6 {
			j := begin()
			if rng.IntN(5) > 0 || launcher == overTCP { // otherwise while they start, where the others would wait for a process to be started again
				<-j.began
			}
			timer := time.NewTimer(time.Duration(rng.Int64N(int64(2 * took[fit]))))
			select {
			case <-timer.C:
			case <-j.over:
			}
			hit := false
			if all := ranks(t, j.cmd.Process.Pid); len(all) > 0 {
				slices.Sort(all)
				hit = syscall.Kill(all[rng.IntN(len(all))], syscall.SIGKILL) == nil
			}
			if err := j.end(t); err == nil {
				finished = true
				break
			} else if !hit {
				t.Fatalf("%v, which nobody killed: %v\n%s", fits[fit], err, j.said.String())
			}
			killed++
		}
		if !finished {
			if j := begin(); j.end(t) != nil {
				t.Fatalf("%v after kills:\n%s", fits[fit], j.said.String())
			}
		}
		done++
		if !bytes.Equal(read(t, filepath.Join(out, modelName)), wants[fit]) {
			t.Errorf("%v: after kills the model is another", fits[fit])
		}
		if list, _ := filepath.Glob(filepath.Join(out, checkpointName)); len(list) > 0 {
			t.Errorf("%v: %v is left", fits[fit], list)
		}
	}
	t.Logf("%d kills, %d times a checkpoint to go on from, %d models compared", killed, resumed, done)
}
