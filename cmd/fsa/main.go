// Command fsa selects the k variables of a table that predict its target best and trains a model on
// them. Run "fsa help" for examples.
//
// The file root.go has the table of commands. The files of a command begin with its name. Code that
// several commands share is in these files:
//
//	print*, score*  output of models and metrics; predictions of a table
//	run_*           the run folder: its files, its record, reading it for a report
//	checkpoint*     continuing a stopped command
//	input, load     flags of tables; models and detectors from files
//	usage, flags, help, exit, message
//	                arguments, flags, exit codes and the wording of errors
//	streams, progress
//	                standard output and error, and the progress line
//
// The files have no dependency cycles.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"fsa/internal/collective/mpi"
	"fsa/internal/machine"
)

func main() {
	if err := checkFiles(machine.Files()); err != nil {
		fmt.Fprintf(os.Stderr, "fsa: %v\n", err)
		os.Exit(exitResources)
	}
	if err := limitThreads(); err != nil {
		fmt.Fprintf(os.Stderr, "fsa: %v\n", err)
		os.Exit(exitResources)
	}
	limitGarbage()
	if share := machine.Share(); share > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(share)
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // ignored under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	// If the reader of the output ends, a write fails but the program continues, because its other
	// results may still be needed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program even if it does not respond
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	mpi.Exit(code)
}

// run is the program: it takes arguments and returns an exit code. Data goes to stdout, everything
// else to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	began := false // whether a command has started its work; earlier errors are usage errors
	root := newRoot(&began)
	out := &output{w: stdout}
	stderr = newMessages(stderr)
	root.SetArgs(joinInteractions(args))
	root.SetOut(out)
	root.SetErr(stderr)
	strict(root)
	cmd, err := root.ExecuteContextC(context.WithValue(ctx, typed{}, args))
	if out.err != nil && (err == nil || !began) { // help and similar commands
		err, began = fmt.Errorf("standard output: %w", out.err), true
	}
	if err == nil {
		return exitDone
	}
	code := exitCode(ctx, err, began)
	if errors.Is(err, errReader) {
		return exitDone
	}
	if _, ok := errors.AsType[*gridError](err); ok { // already printed, for all processes
		return code
	}
	if code == exitInterrupted {
		fmt.Fprintln(stderr, "fsa: interrupted")
		return code
	}
	complain(stderr, cmd, code, err)
	return code
}

// limitThreads uses as many threads as the address space allows. It returns an error if the address
// space is too small to start.
func limitThreads() error {
	wanted := runtime.GOMAXPROCS(0)
	n, err := machine.Threads(wanted)
	if err == nil && n < wanted {
		runtime.GOMAXPROCS(n)
	}
	return err
}

// leastFiles is the number of open files needed to start.
const leastFiles = 16

// checkFiles returns an error if so few files may be open that not even an error could be reported.
func checkFiles(most int64) error {
	if most > 0 && most < leastFiles {
		return fmt.Errorf("only %d files may be open at a time: at least %d are needed (ulimit -n)", most, leastFiles)
	}
	return nil
}
