package host_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"fsa/internal/collective"
	"fsa/internal/collective/collectivetest"
	"fsa/internal/collective/host"
)

// through lets a process talk through another way to talk.
func through(c collective.Comm) collective.Comm {
	return host.New(c.Rank(), c.Size(), func(mine []byte) ([][]byte, error) { return collective.GatherAll(c, mine) })
}

func TestConformance(t *testing.T) {
	for _, n := range []int{1, 2, 3, 6} {
		var wait sync.WaitGroup
		for _, c := range collective.Group(n) {
			wait.Go(func() {
				if err := collectivetest.Check(through(c)); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
}

// Groups that do different things at the same time do not keep each other from it.
func TestGroupsApart(t *testing.T) {
	var wait sync.WaitGroup
	for rank, c := range collective.Group(4) {
		wait.Go(func() {
			all := through(c)
			half, err := all.Split(rank / 2)
			if err != nil {
				t.Error(err)
				return
			}
			for range 1 + 2*(rank/2) {
				v := []int64{int64(rank)}
				if err := half.Sum(v); err != nil || v[0] != int64(1+4*(rank/2)) {
					t.Errorf("rank %d: %v, %v", rank, v, err)
				}
			}
			if err := all.Barrier(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// What a host loses is noticed, and its errors are passed on.
func TestHostFails(t *testing.T) {
	ended := errors.New("the host has ended")
	for _, c := range []struct {
		exchange host.Exchange
		want     string
	}{
		{func([]byte) ([][]byte, error) { return nil, ended }, "has ended"},
		{func(mine []byte) ([][]byte, error) { return [][]byte{mine}, nil }, "1 processes spoke"},
		{func(mine []byte) ([][]byte, error) { return [][]byte{mine, nil}, nil }, "cannot be understood"},
		{func(mine []byte) ([][]byte, error) { return [][]byte{mine, mine[:len(mine)-1]}, nil }, "cannot be understood"},
	} {
		if err := host.New(0, 2, c.exchange).Sum([]int64{1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
