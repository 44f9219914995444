package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fsa/internal/need"
)

// ranks returns the processes of this program that a launcher has started, directly or not.
func ranks(t *testing.T, launcher int) (pids []int) {
	t.Helper()
	parent := map[int]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil { // it has ended
			continue
		}
		var pid, above int
		var state string
		name := bytes.LastIndexByte(b, ')') // which may contain blanks
		pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if _, err := fmt.Sscan(string(b[name+1:]), &state, &above); err == nil {
			parent[pid] = above
		}
	}
	for pid := range parent {
		exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		for p := parent[pid]; p > 1; p = parent[p] {
			if p == launcher && exe == os.Args[0] {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// A process that is killed ends the whole job, and no process is left behind.
func TestGridKilled(t *testing.T) {
	pattern := gridTable(t)
	for _, l := range launchers {
		t.Run(l, func(t *testing.T) {
			need.Long(t)
			need.Program(t, installMPI, l)
			j := start(t, l, 3, "fit", pattern, "--target", "y", "-k", "3", "--quick", "--batch", "all", "--tolerance", "none", "--epochs", "1000000", "--grid", "3x1", "--explain")
			<-j.began
			all := ranks(t, j.cmd.Process.Pid)
			if len(all) != 3 {
				t.Errorf("the processes %v are there, want three", all)
			}
			killed := len(all) > 0 && syscall.Kill(all[len(all)-1], syscall.SIGKILL) == nil
			if !killed {
				j.cmd.Process.Kill()
			}
			if err := j.end(t); err == nil || !killed {
				t.Errorf("the job came to its end: %v, killed %v", err, killed)
			}
		})
	}
}

// An interrupted job ends and says so.
func TestGridInterrupted(t *testing.T) {
	pattern := gridTable(t)
	for _, l := range launchers {
		t.Run(l, func(t *testing.T) {
			need.Long(t)
			need.Program(t, installMPI, l)
			j := start(t, l, 2, "fit", pattern, "--target", "y", "-k", "3", "--quick", "--batch", "all", "--tolerance", "none", "--epochs", "1000000", "--grid", "2x1", "--explain")
			<-j.began
			for _, pid := range ranks(t, j.cmd.Process.Pid) {
				if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
					t.Error(err)
				}
			}
			if err := j.end(t); err == nil || !strings.Contains(j.said.String(), ": interrupted\n") {
				t.Errorf("%v\n%s", err, j.said.String())
			}
		})
	}
}
