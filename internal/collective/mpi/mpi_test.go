//go:build linux && (amd64 || arm64) && !static

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsa/internal/collective/collectivetest"
	"fsa/internal/need"
)

// asRank is set for the processes that a launcher starts from this test.
const asRank = "FSA_TEST_RANK"

func TestMain(m *testing.M) {
	what := os.Getenv(asRank)
	if what == "" {
		os.Exit(m.Run())
	}
	if err := rank(what); err != nil {
		fmt.Fprintln(os.Stderr, err)
		Exit(1)
	}
	Exit(0)
}

// rank is the work of each process.
func rank(what string) error {
	c, err := Open(func(rank int) { fmt.Fprintln(os.Stderr, "rank", rank, "is lost") })
	if err != nil {
		return err
	}
	if what == "hang" && c.Rank() == 1 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
			return err
		}
		time.Sleep(time.Hour) // threads may continue for a moment until all of them have stopped; not as far as the barrier, which would succeed
	}
	if what == "hang" {
		return c.Barrier()
	}
	if what == "abort" {
		if c.Rank() == 1 {
			c.Abort(3, "")
		}
		return c.Barrier()
	}
	if err := collectivetest.Check(c); err != nil {
		return err
	}
	fmt.Println("rank", c.Rank(), "of", c.Size(), "is content; standard ABI:", c.(*comm).abi == standard)
	return c.Close()
}

// launch starts this test as several processes.
func launch(t *testing.T, launcher, what string, n int) ([]byte, error) {
	t.Helper()
	need.Long(t)
	if launcher == withStandardABI {
		need.Variable(t, standardABI, "python3 -m venv DIR, DIR/bin/pip install mpich, and set it to DIR")
	} else {
		need.Program(t, "apt-get install openmpi-bin mpich", launcher)
	}
	args := []string{"-n", fmt.Sprint(n)}
	if strings.Contains(launcher, "openmpi") {
		args = append(args, "--oversubscribe")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, launcher, append(args, os.Args[0])...)
	cmd.Env = append(os.Environ(), asRank+"="+what, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	if launcher == withStandardABI {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+filepath.Join(os.Getenv(standardABI), "lib"))
	}
	return cmd.CombinedOutput()
}

// standardABI names a folder with the bin and lib of an implementation with the standard ABI of MPI
// 5, such as a Python environment with pip install mpich.
const standardABI = "FSA_MPI_ABI"

var withStandardABI = filepath.Join(os.Getenv(standardABI), "bin", "mpiexec.hydra")

var launchers = []string{"mpirun.openmpi", "mpirun.mpich", withStandardABI}

func TestConformance(t *testing.T) {
	for _, l := range launchers {
		for _, n := range []int{1, 3, 4} {
			t.Run(fmt.Sprint(filepath.Base(l), n), func(t *testing.T) {
				out, err := launch(t, l, "check", n)
				if want := fmt.Sprint("is content; standard ABI: ", l == withStandardABI); err != nil || strings.Count(string(out), want) != n {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// One process that gives up ends them all.
func TestAbort(t *testing.T) {
	for _, l := range launchers {
		t.Run(filepath.Base(l), func(t *testing.T) {
			if out, err := launch(t, l, "abort", 3); err == nil {
				t.Errorf("the job went on\n%s", out)
			}
		})
	}
}

// One process that hangs ends them all, and is named.
func TestHang(t *testing.T) {
	for _, l := range launchers {
		t.Run(filepath.Base(l), func(t *testing.T) {
			t.Parallel() // each waits for heardWithin
			if out, err := launch(t, l, "hang", 3); err == nil || !strings.Contains(string(out), "rank 1 is lost") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// Without a launcher there is no MPI, and the error says what to do.
func TestNotLaunched(t *testing.T) {
	for _, f := range flavours {
		for _, name := range f.launched {
			t.Setenv(name, "") // so that it is set back
			os.Unsetenv(name)
		}
	}
	if _, err := Open(nil); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "mpirun") {
		t.Errorf("Open without a launcher: %v", err)
	}
}
