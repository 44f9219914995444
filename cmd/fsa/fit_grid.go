package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"fsa/internal/checkpoint"
	"fsa/internal/collective"
	"fsa/internal/collective/mpi"
)

// spread holds the flags for a fit on a grid of processes and, once the process has joined it, the
// job.
type spread struct {
	text  string // RxC or auto; empty for no grid
	meets rendezvous
	comm  collective.Comm // nil without one
	bytes int64           // bytes of the files of the table that all processes have read
}

func (s *spread) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.text, "grid", "", "spread the table over the processes of mpirun or of --rendezvous, as a grid of `RxC` blocks, or auto")
	s.meets.flags(cmd)
}

// joined reports whether the fit runs on a grid.
func (s *spread) joined() bool { return s.comm != nil }

// refuse sends the error of this process to the others, which wait for it, if it fails before it
// has joined them. Processes that meet over TCP instead wait until it is started again.
func (s *spread) refuse(cmd *cobra.Command, err error) error {
	if err == nil || s.text == "" || s.joined() || s.meets.given() || !mpi.Launched() {
		return err
	}
	return s.together(cmd, func() error { return s.agree(cmd, err) })
}

// together joins the processes of the job and runs do in all of them. An error that all share is
// printed once. A process that fails alone prints its error and ends the job.
func (s *spread) together(cmd *cobra.Command, do func() error) error {
	s.comm = collective.Single{}
	told := cmd.ErrOrStderr()
	var err error
	switch {
	case s.meets.given():
		if s.comm, err = s.meets.open(cmd, s.text, told); err != nil {
			s.comm = nil
			return err
		}
	case mpi.Launched():
		if s.comm, err = mpi.Open(func(rank int) {
			fmt.Fprintf(told, "fsa: rank %d has not answered for too long: its machine hangs or cannot be reached; the fit stops\n", rank)
		}); err != nil {
			s.comm = nil
			return err
		}
	}
	if s.comm.Rank() > 0 {
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
	}
	err = do()
	e, all := errors.AsType[*gridError](err)
	if all && s.comm.Rank() == 0 { // before the processes meet in Close: launchers end all processes when the first one fails
		complain(told, cmd, e.code, e)
	}
	if err == nil || all {
		return errors.Join(err, s.comm.Close())
	}
	if s.comm.Size() > 1 {
		what := message(err)
		if cmd.Context().Err() != nil {
			what = "interrupted"
			s.grace()
		}
		fmt.Fprintf(told, "fsa: %s: %s\n", s.name(), what)
		s.comm.Abort(exitCode(cmd.Context(), err, true), s.name()+": "+what)
	}
	return err
}

// graceTime is how long the first process has to write a checkpoint when all are interrupted.
const graceTime = 3 * time.Second

// grace waits until the first process, which ends the job, has had time to write its checkpoint.
func (s *spread) grace() {
	if s.comm.Rank() > 0 {
		time.Sleep(graceTime)
	}
}

// name identifies this process for messages.
func (s *spread) name() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("rank %d of %d on %s", s.comm.Rank(), s.comm.Size(), host)
}

// agree makes all processes fail if one fails. All of them must call it.
func (s *spread) agree(cmd *cobra.Command, err error) error {
	if !s.joined() || s.comm.Size() == 1 || err != nil && cmd.Context().Err() != nil { // an interrupted process does not know the state of the others, and ends the job
		return err
	}
	var mine collective.Failure
	if err != nil {
		mine = collective.Failure{Who: s.name(), Kind: strconv.Itoa(exitCode(cmd.Context(), err, true)), Text: message(err)}
	}
	first, err := collective.Agree(s.comm, mine)
	if err != nil || first.Text == "" {
		return err
	}
	code, err := strconv.Atoi(first.Kind)
	if err != nil {
		return fmt.Errorf("grid: a message of another process cannot be read: %w", err)
	}
	return &gridError{first.Text, code}
}

// share gives all processes the record of the first one, which reads and writes its file. The
// result is nil if the first process has none.
func (s *spread) share(k *keeper) (*checkpoint.Record, error) {
	var mine bytes.Buffer
	if k != nil {
		if !s.joined() || s.comm.Size() == 1 {
			return k.record, nil
		}
		if _, err := k.record.WriteTo(&mine); err != nil {
			return nil, err
		}
	} else if !s.joined() {
		return nil, nil
	}
	parts, err := collective.GatherAll(s.comm, mine.Bytes())
	switch {
	case err != nil:
		return nil, err
	case k != nil:
		return k.record, nil
	case len(parts[0]) == 0:
		return nil, nil
	}
	return checkpoint.Read(bytes.NewReader(parts[0]))
}
