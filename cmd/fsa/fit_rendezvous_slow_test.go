package main

import (
	"bytes"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// slow passes on connections to an address, every piece after a delay; one in fifty waits as long as for a packet that
// was lost.
func slow(t *testing.T, to string, seed uint64) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	const delay, lost = 2 * time.Millisecond, 200 * time.Millisecond
	type piece struct {
		at   time.Time
		text []byte
	}
	pass := func(to, from net.Conn, rng *rand.Rand) {
		pieces := make(chan piece, 1<<10)
		go func() {
			defer to.Close()
			for p := range pieces {
				<-time.After(time.Until(p.at))
				if _, err := to.Write(p.text); err != nil {
					from.Close()
					for range pieces {
					}
					return
				}
			}
		}()
		defer close(pieces)
		for b := make([]byte, 32<<10); ; {
			n, err := from.Read(b)
			after := delay
			if rng.IntN(50) == 0 {
				after = lost
			}
			pieces <- piece{time.Now().Add(after), slices.Clone(b[:n])}
			if err != nil {
				return
			}
		}
	}
	go func() {
		for n := uint64(0); ; n += 2 {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go pass(out, in, rand.New(rand.NewPCG(seed, n)))
			go pass(in, out, rand.New(rand.NewPCG(seed, n+1)))
		}
	}()
	return l.Addr().String()
}

// A network with delay and loss does not change the model.
func TestRendezvousSlowNetwork(t *testing.T) {
	pattern, one, out := gridTable(t), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "run")
	fit := append([]string{"fit", pattern, "--batch", "all"}, gridFit...)
	must(t, append(slices.Clone(fit), "--grid", "1x1", "--out", one)...)
	const n = 3
	var here, there [n]string
	for rank := range n {
		here[rank] = freePort(t)
		there[rank] = slow(t, here[rank], uint64(rank))
	}
	var all [n]*exec.Cmd
	var said [n]bytes.Buffer
	for rank := range n {
		at := slices.Clone(there[:])
		at[rank] = here[rank]
		all[rank] = process(t, strings.Join(at, ","), rank, append(slices.Clone(fit), "--grid", "3x1", "--out", out)...)
		all[rank].Stderr = &said[rank]
		if err := all[rank].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for rank := range n {
		if err := all[rank].Wait(); err != nil {
			t.Fatalf("rank %d: %v\n%s", rank, err, said[rank].String())
		}
	}
	if !bytes.Equal(read(t, filepath.Join(out, modelName)), read(t, filepath.Join(one, modelName))) {
		t.Error("the model is another one")
	}
}
