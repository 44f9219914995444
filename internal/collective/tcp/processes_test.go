package tcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"fsa/internal/collective"
)

// asRank holds the settings of a process that a benchmark starts from this test.
const asRank = "FSA_TEST_TCP"

func TestMain(m *testing.M) {
	text := os.Getenv(asRank)
	if text == "" {
		os.Exit(m.Run())
	}
	var c Config
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	comm, err := Open(context.Background(), c)
	if err != nil {
		panic(err)
	}
	for n := []int64{1, 0}; n[0] > 0; { // steps, and the length of their vectors
		if err := comm.Broadcast(0, collective.Bytes(n)); err != nil {
			panic(err)
		}
		v := make([]int64, n[1])
		for range n[0] {
			if err := comm.Sum(v); err != nil {
				panic(err)
			}
		}
	}
	if err := comm.Close(); err != nil {
		panic(err)
	}
}

// BenchmarkSum measures sums over 4 processes of one machine.
func BenchmarkSum(b *testing.B) {
	const n = 4
	first := listener(b)
	c := Config{Size: n, At: []string{first.Addr().String()}, Token: token, Wait: time.Minute}
	for c.Rank = n - 1; c.Rank > 0; c.Rank-- {
		text, err := json.Marshal(c)
		if err != nil {
			b.Fatal(err)
		}
		cmd := exec.CommandContext(b.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), asRank+"="+string(text))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = cmd.Wait() })
	}
	c.Listener = first
	comm, err := Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	for _, bytes := range []int{8, 100_000} {
		b.Run(fmt.Sprint(bytes), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			v := make([]int64, bytes/8)
			if err := comm.Broadcast(0, collective.Bytes([]int64{int64(b.N), int64(len(v))})); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for range b.N {
				if err := comm.Sum(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	if err := comm.Broadcast(0, collective.Bytes([]int64{0, 0})); err != nil {
		b.Fatal(err)
	}
	if err := comm.Close(); err != nil {
		b.Error(err)
	}
}
