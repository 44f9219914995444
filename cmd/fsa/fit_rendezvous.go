package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fsa/internal/collective"
	"fsa/internal/collective/tcp"
	"fsa/internal/manifest"
	"fsa/internal/version"
)

// rendezvous holds the flags for processes that communicate over TCP, without MPI.
type rendezvous struct {
	at        []string // of rank 0, or of all ranks; empty for none
	rank      int
	processes int
	tokenFile string
	tls       []string // files of the certificate, its key, and the authority
}

// tokenVariable is the environment variable of the token.
const tokenVariable = "FSA_TOKEN"

func (r *rendezvous) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&r.at, "rendezvous", nil, "with --grid, without MPI: the processes meet at `HOST:PORT` of rank 0; or a list with the address of every rank")
	f.IntVar(&r.rank, "rank", -1, "with --rendezvous: the rank of this process is `N`, counted from 0")
	f.IntVar(&r.processes, "processes", 0, "with --rendezvous and --grid auto: the number of processes is `N`")
	f.StringVar(&r.tokenFile, "token-file", "", "with --rendezvous: `FILE` with the token that all processes know (default: the environment variable "+tokenVariable+")")
	f.StringSliceVar(&r.tls, "tls", nil, "with --rendezvous: encrypt connections with the files `CERT,KEY,CA`")
}

// given reports whether the processes meet over TCP.
func (r *rendezvous) given() bool { return len(r.at) > 0 }

// check returns an error for flags that do not go together. grid is the value of --grid.
func (r *rendezvous) check(cmd *cobra.Command, grid string) error {
	if !r.given() {
		for _, name := range []string{"rank", "processes", "token-file", "tls"} {
			if cmd.Flags().Changed(name) {
				return usagef("--%s needs --rendezvous: give the address of rank 0, such as --rendezvous host:4711", name)
			}
		}
		return nil
	}
	size, err := r.size(grid)
	switch {
	case err != nil:
		return err
	case r.rank < 0 || r.rank >= size:
		return usagef("--rank %d: the ranks of %d processes are 0 to %d", r.rank, size, size-1)
	case len(r.tls) != 0 && len(r.tls) != 3:
		return usagef("--tls %s: it must be three files, CERT,KEY,CA", strings.Join(r.tls, ","))
	}
	return nil
}

// size returns the number of processes.
func (r *rendezvous) size(grid string) (int, error) {
	var rows, columns int
	if _, err := fmt.Sscanf(grid, "%dx%d", &rows, &columns); err != nil {
		if rows, columns = max(r.processes, 0), 1; rows == 0 && len(r.at) > 1 {
			rows = len(r.at)
		}
	}
	switch size := rows * columns; {
	case grid == "":
		return 0, usagef("--rendezvous needs --grid, such as --grid 2x2")
	case size < 1:
		return 0, usagef("--processes is missing: give the number of processes, or a grid such as --grid 2x2")
	case r.processes > 0 && r.processes != size:
		return 0, usagef("--processes %d: --grid %s is for %d processes", r.processes, grid, size)
	case len(r.at) > 1 && len(r.at) != size:
		return 0, usagef("--rendezvous has %d addresses, but there are %d processes: give the address of rank 0, or one for each rank", len(r.at), size)
	default:
		return size, nil
	}
}

// token returns the secret of the job.
func (r *rendezvous) token() ([]byte, error) {
	const most = 4096
	text := os.Getenv(tokenVariable)
	if r.tokenFile != "" {
		f, err := os.Open(r.tokenFile)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, most))
		if err != nil {
			return nil, err
		}
		text = string(b)
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil, usagef("--rendezvous needs a token that only the processes know: give --token-file FILE, or set %s; openssl rand -hex 32 makes one", tokenVariable)
	}
	return []byte(text), nil
}

// farewellTime is how long a process may continue after the job has failed, before it is ended.
const farewellTime = 10 * time.Second

// open joins the job.
func (r *rendezvous) open(cmd *cobra.Command, grid string, told io.Writer) (collective.Comm, error) {
	size, err := r.size(grid)
	if err != nil {
		return nil, err
	}
	c := tcp.Config{Rank: r.rank, Size: size, At: r.at}
	if c.Token, err = r.token(); err != nil {
		return nil, err
	}
	if len(r.tls) > 0 {
		if c.TLS, err = tcp.LoadTLS(r.tls[0], r.tls[1], r.tls[2]); err != nil {
			return nil, err
		}
	}
	sum, err := programSum()
	if err != nil {
		return nil, err
	}
	c.About = fmt.Sprintf("fsa %s for %s with the checksum %s", version.String(), version.Get().Platform, sum)
	c.Note = func(text string) { fmt.Fprintln(told, text) }
	c.Failed = func(err error) {
		time.Sleep(farewellTime) // a process that waits for others ends by itself
		fmt.Fprintf(told, "fsa: rank %d of %d: %s\n", r.rank, size, message(err))
		os.Exit(exitCode(context.WithoutCancel(cmd.Context()), err, true))
	}
	comm, err := tcp.Open(cmd.Context(), c)
	if errors.Is(err, tcp.ErrConfig) {
		return nil, usagef("--rendezvous: %s", strings.TrimPrefix(err.Error(), tcp.ErrConfig.Error()+": "))
	}
	if refused, ok := errors.AsType[*tcp.Refused](err); ok {
		return nil, usagef("--rendezvous: %s", refused.Why)
	}
	return comm, err
}

// programSum returns a checksum of the running program, because builds that were not released have
// no unique version.
func programSum() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	const running = "/proc/self/exe" // even if another program is now at its path
	if _, err := os.Stat(running); err == nil {
		path = running
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return manifest.Sum(sum), nil
}
