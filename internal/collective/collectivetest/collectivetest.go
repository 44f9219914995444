// Package collectivetest checks that a [collective.Comm] keeps the promises of the interface. Every
// process of a job calls [Check] with its own.
package collectivetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"fsa/internal/collective"
)

// Check returns an error that describes a broken promise. All processes of the group call it.
func Check(c collective.Comm) error {
	for _, check := range []struct {
		name string
		run  func(collective.Comm) error
	}{{"sum", sum}, {"gather", gather}, {"gather all", gatherAll}, {"all to all", allToAll}, {"broadcast", broadcast}, {"barrier", collective.Comm.Barrier}, {"split", split}} {
		if err := check.run(c); err != nil {
			return fmt.Errorf("%s, rank %d of %d: %w", check.name, c.Rank(), c.Size(), err)
		}
	}
	return nil
}

// lengths are the lengths of the vectors: none, one, and more than fits into one message.
var lengths = []int{0, 1, 7, 1000, 100_003}

// numbers returns the numbers of a process, which every other process can compute, too.
func numbers(n, rank int) []int64 {
	rng := rand.New(rand.NewPCG(5, uint64(rank)))
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(rng.Uint64()) >> 8
	}
	return v
}

func sum(c collective.Comm) error {
	for _, n := range lengths {
		want := make([]int64, n)
		for p := range c.Size() {
			for i, v := range numbers(n, p) {
				want[i] += v
			}
		}
		got := numbers(n, c.Rank())
		if err := c.Sum(got); err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%d numbers have wrong sums", n)
		}
	}
	return nil
}

func gather(c collective.Comm) error {
	for _, n := range lengths {
		var want []byte
		counts := make([]int, c.Size())
		for p := range counts {
			part := collective.Bytes(numbers(n+p, p))
			counts[p] = len(part)
			want = append(want, part...)
		}
		got := make([]byte, len(want))
		if err := c.Gather(got, counts, collective.Bytes(numbers(n+c.Rank(), c.Rank()))); err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%d bytes are not what the processes had", len(want))
		}
	}
	return nil
}

func gatherAll(c collective.Comm) error {
	parts, err := collective.GatherAll(c, bytes.Repeat([]byte{byte(c.Rank())}, c.Rank()))
	if err != nil {
		return err
	}
	for p, part := range parts {
		if !bytes.Equal(part, bytes.Repeat([]byte{byte(p)}, p)) {
			return fmt.Errorf("process %d is said to have %v", p, part)
		}
	}
	return nil
}

// allToAll sends messages of different lengths, some of them empty and some long.
func allToAll(c collective.Comm) error {
	message := func(from, to int) []byte {
		return collective.Bytes(numbers(3000*from*(to%2)+to, 1000*from+to))
	}
	to := make([][]byte, c.Size())
	for p := range to {
		to[p] = message(c.Rank(), p)
	}
	got, err := collective.AllToAll(c, to)
	if err != nil {
		return err
	}
	for p, part := range got {
		if !bytes.Equal(part, message(p, c.Rank())) {
			return fmt.Errorf("%d bytes are not what process %d has sent", len(part), p)
		}
	}
	return nil
}

func broadcast(c collective.Comm) error {
	for _, n := range lengths {
		for root := range c.Size() {
			got := collective.Bytes(numbers(n, c.Rank()))
			if err := c.Broadcast(root, got); err != nil {
				return err
			}
			if !bytes.Equal(got, collective.Bytes(numbers(n, root))) {
				return fmt.Errorf("%d bytes are not those of process %d", len(got), root)
			}
		}
	}
	return nil
}

// split makes a grid of two columns, or of as many rows as there are processes, and sums along both.
func split(c collective.Comm) error {
	for _, columns := range []int{1, 2, 3} {
		row, err := c.Split(c.Rank() / columns)
		if err != nil {
			return err
		}
		column, err := c.Split(c.Rank() % columns)
		if err != nil {
			return err
		}
		if err := sum(row); err != nil {
			return err
		}
		if err := gather(column); err != nil {
			return err
		}
		var ranks, want []int64
		for p := range c.Size() {
			if p/columns == c.Rank()/columns {
				want = append(want, int64(p))
			}
		}
		parts, err := collective.GatherAll(row, collective.Bytes([]int64{int64(c.Rank())}))
		if err != nil {
			return err
		}
		for _, part := range parts {
			ranks = append(ranks, int64(part[0])) // only a few
		}
		if !slices.Equal(ranks, want) || row.Size() != len(want) || want[row.Rank()] != int64(c.Rank()) {
			return fmt.Errorf("rows of %d: processes %v are together as %d of %d, want %v", columns, ranks, row.Rank(), row.Size(), want)
		}
		if err := row.Close(); err != nil {
			return err
		}
		if err := column.Close(); err != nil {
			return err
		}
	}
	return nil
}
