// Command fsa selects the k variables of a table that matter and learns a
// model on them. Run "fsa help" for examples.
//
// The file root.go has the table of verbs. The files of a verb begin with its name, and what
// several verbs share stands below them:
//
//	print*, score*  what is printed of models and measures; predictions of a table
//	run_*           the run folder: its files, its record, how it is read for a report
//	checkpoint*     going on with what was stopped
//	input, load     flags of tables; models and detectors from files
//	usage, flags, help, exit, message
//	                arguments, flags, exit codes and the words of errors
//	streams, progress
//	                standard output and error, and the line that moves
//
// No file needs one that needs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
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
	limitGarbage()
	if share := machine.Share(); share > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(share)
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup is
		signals = append(signals, syscall.SIGHUP)
	}
	// Whoever read our output may go, and the work still be wanted: a write then fails
	// instead of ending the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends what does not listen
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	mpi.Exit(code)
}

// run is the program: arguments in, an exit code out. Data goes to stdout,
// everything else to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	began := false // whether a command got to its work: errors before that are of usage
	root := newRoot(&began)
	out := &output{w: stdout}
	stderr = &messages{stderr}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	strict(root)
	cmd, err := root.ExecuteContextC(context.WithValue(ctx, typed{}, args))
	if out.err != nil && (err == nil || !began) { // help and the like
		err, began = fmt.Errorf("standard output: %w", out.err), true
	}
	if err == nil {
		return exitDone
	}
	code := exitCode(ctx, err, began)
	if errors.Is(err, errReader) {
		return exitDone
	}
	if _, ok := errors.AsType[*gridError](err); ok { // it was said once for all
		return code
	}
	if code == exitInterrupted {
		fmt.Fprintln(stderr, "fsa: interrupted")
		return code
	}
	complain(stderr, cmd, code, err)
	return code
}

// leastFiles is how many open files are enough to start with: the system's own, and
// those of a fit.
const leastFiles = 16

// checkFiles refuses to start where so few files may be open that not even an error
// could be told.
func checkFiles(most int64) error {
	if most > 0 && most < leastFiles {
		return fmt.Errorf("only %d files may be open at a time: at least %d are needed (ulimit -n)", most, leastFiles)
	}
	return nil
}
