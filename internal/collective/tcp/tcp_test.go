package tcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"fsa/internal/collective"
	"fsa/internal/collective/collectivetest"
)

var token = []byte("a token that nobody can guess")

// listener returns a listener at a free port of this machine.
func listener(t testing.TB) net.Listener {
	t.Helper()
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// start lets n processes, which are goroutines here, join a job. Change may change their settings.
func start(t testing.TB, n int, change func(c *Config)) (all []collective.Comm, failed []error) {
	t.Helper()
	first := listener(t)
	all, failed = make([]collective.Comm, n), make([]error, n)
	var wait sync.WaitGroup
	for rank := range n {
		c := Config{Rank: rank, Size: n, At: []string{first.Addr().String()}, Token: token, About: "version 1", Wait: time.Minute}
		if rank == 0 {
			c.Listener = first
		}
		if change != nil {
			change(&c)
		}
		wait.Go(func() { all[rank], failed[rank] = Open(t.Context(), c) })
	}
	wait.Wait()
	return all, failed
}

// must is start of a job that nothing keeps from beginning.
func must(t testing.TB, n int, change func(c *Config)) []collective.Comm {
	t.Helper()
	all, failed := start(t, n, change)
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	return all
}

// each calls f for all processes at the same time.
func each(all []collective.Comm, f func(c collective.Comm)) {
	var wait sync.WaitGroup
	for _, c := range all {
		wait.Go(func() { f(c) })
	}
	wait.Wait()
}

func check(t *testing.T, all []collective.Comm) {
	t.Helper()
	each(all, func(c collective.Comm) {
		if err := collectivetest.Check(c); err != nil {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestConformance(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { check(t, must(t, n, nil)) })
	}
}

// With a list, every process listens at its own address; here these are proxies that pass on a few
// bytes at a time.
func TestListThroughProxies(t *testing.T) {
	const n = 3
	listeners, at := make([]net.Listener, n), make([]string, n)
	for p := range n {
		listeners[p] = listener(t)
		at[p] = proxy(t, listeners[p].Addr().String())
	}
	check(t, must(t, n, func(c *Config) { c.At, c.Listener = at, listeners[c.Rank] }))
}

// proxy passes on connections in pieces of random length.
func proxy(t *testing.T, to string) string {
	l := listener(t)
	pass := func(to, from net.Conn, seed uint64) {
		rng := rand.New(rand.NewPCG(1, seed))
		for b := make([]byte, 8<<10); ; {
			n, err := from.Read(b[:1+rng.IntN(len(b))])
			if _, failed := to.Write(b[:n]); err != nil || failed != nil {
				to.Close()
				return
			}
		}
	}
	go func() {
		for seed := uint64(0); ; seed += 2 {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go pass(out, in, seed)
			go pass(in, out, seed+1)
		}
	}()
	return l.Addr().String()
}

// Strangers do not keep the processes of a job from joining it.
func TestStrangers(t *testing.T) {
	first := listener(t)
	at := first.Addr().String()
	var notes sync.Map
	open := func(rank int, change func(*Config)) (collective.Comm, error) {
		c := Config{Rank: rank, Size: 2, At: []string{at}, Token: token, About: "version 1", Wait: time.Minute, Note: func(text string) { notes.Store(text, true) }}
		if rank == 0 {
			c.Listener = first
		}
		if change != nil {
			change(&c)
		}
		return Open(t.Context(), c)
	}
	joined := make(chan collective.Comm)
	go func() {
		c, err := open(0, nil)
		if err != nil {
			t.Error(err)
		}
		joined <- c
	}()
	for range 1000 { // silent ones
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	for _, garbage := range []string{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "fsa", strings.Repeat("\xff", 1<<16)} {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, garbage) // which may be refused while it is written
	}
	for want, change := range map[string]func(*Config){
		"tokens differ":         func(c *Config) { c.Token = []byte("another token of enough bytes") },
		"runs version 2":        func(c *Config) { c.About = "version 2" },
		"has 2 processes":       func(c *Config) { c.Size = 3 },
		"it must have at least": func(c *Config) { c.Token = token[:5] },
	} {
		if _, err := open(1, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	other, err := open(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, []collective.Comm{<-joined, other})
	told := ""
	for note := range notes.Range {
		told += note.(string) + "\n"
	}
	if !strings.Contains(told, "refused") {
		t.Errorf("refused connections are not told: %q", told)
	}
}

// A process that was refused, and that none replaces, ends the job of all.
func TestRefusedEnds(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"rank 1 runs version 2, and rank 0 runs version 1": func(c *Config) { c.About = "version 2" },
		"it is rank 1 of 2, and this job has 3 processes":  func(c *Config) { c.Size = 2 },
	} {
		_, failed := start(t, 3, func(c *Config) {
			if c.again = 10 * time.Millisecond; c.Rank == 1 {
				change(c)
			}
		})
		for rank, err := range failed {
			if refused, ok := errors.AsType[*Refused](err); !ok || !strings.Contains(refused.Why, want) {
				t.Errorf("rank %d: %v, want %q", rank, err, want)
			}
		}
	}
}

// What was heard on the network does not let anybody in again, nor does what a process itself says.
func TestReplay(t *testing.T) {
	l := listener(t)
	accept := func(conn net.Conn) error {
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		return accepts(conn, token)
	}
	dial := func() (there, here net.Conn) {
		there, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		here, err = l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return there, here
	}
	there, here := dial()
	heard := &recorder{Conn: there}
	accepted := make(chan error)
	go func(of net.Conn) { accepted <- accept(of) }(here)
	if err := connects(heard, token); err != nil {
		t.Fatal(err)
	}
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
	there, here = dial()
	go func(to net.Conn) { _, _ = to.Write(heard.sent) }(there)
	if err := accept(here); !errors.Is(err, errToken) {
		t.Errorf("a recorded handshake: %v", err)
	}
	there, here = dial()
	go func(echo net.Conn) {
		_, _ = echo.Write(heard.sent[:len(greeting)+nonceBytes])
		_, _ = io.Copy(echo, echo)
	}(there)
	if err := accept(here); !errors.Is(err, errToken) {
		t.Errorf("a reflected handshake: %v", err)
	}
	there, here = dial()
	go func(of net.Conn) { accepted <- accept(of) }(here)
	_, _ = there.Write(append([]byte("fsa-tcp\x09"), make([]byte, nonceBytes)...))
	if err := <-accepted; err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Errorf("another version: %v", err)
	}
}

// recorder keeps what is sent.
type recorder struct {
	net.Conn
	sent []byte
}

func (r *recorder) Write(b []byte) (int, error) {
	r.sent = append(r.sent, b...)
	return r.Conn.Write(b)
}

// A rank that is started twice is refused, and the job goes on with the first one.
func TestRankTwice(t *testing.T) {
	first := listener(t)
	comms, errs := make(chan collective.Comm, 3), make(chan error, 3)
	open := func(c Config) {
		c.Size, c.At, c.Token, c.Wait = 3, []string{first.Addr().String()}, token, time.Minute
		if comm, err := Open(t.Context(), c); err != nil {
			errs <- err
		} else {
			comms <- comm
		}
	}
	go open(Config{Listener: first})
	go open(Config{Rank: 1})
	go open(Config{Rank: 1})
	if err := <-errs; !strings.Contains(err.Error(), "has already joined") {
		t.Error(err)
	}
	go open(Config{Rank: 2})
	check(t, []collective.Comm{<-comms, <-comms, <-comms})
}

// A process that ends, or that is silent, ends the job of all others, which name it.
func TestLost(t *testing.T) {
	for name, c := range map[string]struct {
		lost int
		want string
		do   func(*job)
	}{
		"ended":       {2, "rank 2 at 127.0.0.1:", func(j *job) { j.end() }},
		"first ended": {0, "rank 0 at 127.0.0.1:", func(j *job) { j.end() }},
		"silent":      {1, "has not answered", func(j *job) { j.stop[0]() }},
		"aborts":      {1, "no room on the disk", func(j *job) { (&comm{job: j}).Abort(1, "no room on the disk") }},
		"link":        {1, "rank ", func(j *job) { j.links[2].conn.Close() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told sync.Map
			all := must(t, 4, func(cfg *Config) {
				cfg.silent = 3 * time.Second
				cfg.Failed = func(err error) { told.Store(cfg.Rank, err) }
			})
			c.do(all[c.lost].(*comm).job)
			each(all, func(of collective.Comm) {
				if of.Rank() == c.lost && name != "link" {
					return
				}
				var err error
				for err == nil { // a process may still finish its last steps
					err = of.Sum(make([]int64, 5000))
				}
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("rank %d: %v, want %q", of.Rank(), err, c.want)
				}
				if again := of.Barrier(); again == nil {
					t.Errorf("rank %d goes on", of.Rank())
				}
			})
			for _, of := range all {
				of.(*comm).end()
			}
		})
	}
}

// A process that is cancelled returns at once, and the others know why.
func TestCancelled(t *testing.T) {
	first := listener(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	errs := make(chan error, 2)
	for rank := range 2 {
		c := Config{Rank: rank, Size: 2, At: []string{first.Addr().String()}, Token: token}
		of := t.Context()
		if rank == 0 {
			c.Listener = first
		} else {
			of = ctx
		}
		go func() {
			comm, err := Open(of, c)
			if rank == 1 {
				cancel()
			}
			for err == nil { // a step that had begun may end
				err = comm.Barrier()
			}
			if rank == 1 && err != nil && !errors.Is(err, context.Canceled) || rank == 0 && (err == nil || !strings.Contains(err.Error(), "interrupted")) {
				t.Errorf("rank %d: %v", rank, err)
			}
			errs <- err
		}()
	}
	<-errs
	<-errs
}

// A process that waits in vain says for whom.
func TestAlone(t *testing.T) {
	l := listener(t)
	c := Config{Size: 3, At: []string{l.Addr().String()}, Token: token, Wait: 10 * time.Millisecond, Listener: l}
	if _, err := Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), "rank 1, 2 of 3") {
		t.Errorf("rank 0 alone: %v", err)
	}
	c.Rank, c.Listener = 1, nil
	if _, err := Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), "rank 0 at") {
		t.Errorf("rank 1 alone: %v", err)
	}
	for _, bad := range []Config{{Size: 0}, {Size: 2, Rank: 2}, {Size: 3, At: []string{"a:1", "b:1"}}, {Size: 1, At: []string{"a"}}, {Size: 1, At: []string{"a:0"}}} {
		if bad.At == nil {
			bad.At = []string{"a:1"}
		}
		bad.Token = token
		if _, err := Open(t.Context(), bad); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
