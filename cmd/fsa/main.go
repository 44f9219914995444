// Command fsa selects the k variables of a table that matter and learns a
// model on them. Run "fsa help" for examples.
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

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/collective/mpi"
	"fsa/internal/cuda"
	"fsa/internal/machine"
	"fsa/validate"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitBadData     = 3
	exitResources   = 4
	exitInterrupted = 130
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

// complain says why a command has failed.
func complain(stderr io.Writer, cmd *cobra.Command, code int, err error) {
	fmt.Fprintf(stderr, "fsa: %s\n", message(err))
	if code == exitUsage {
		fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
}

// typed is the key of the arguments of the program in the context of a command.
type typed struct{}

// exitCode sorts errors by who can mend them.
func exitCode(ctx context.Context, err error, began bool) int {
	var memory *open.MemoryError
	if e, ok := errors.AsType[*gridError](err); ok {
		return e.code
	}
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case !began || errors.Is(err, fsa.ErrOptions) || errors.Is(err, errUsage) || errors.Is(err, open.ErrUsage) || errors.Is(err, validate.ErrFolds) || errors.Is(err, validate.ErrChoice):
		return exitUsage
	case errors.Is(err, data.ErrMemory):
		return exitResources
	case errors.Is(err, data.ErrBadData):
		return exitBadData
	case errors.As(err, &memory) || errors.Is(err, fsa.ErrTime) || errors.Is(err, cuda.ErrMemory) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EDQUOT) ||
		errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
		return exitResources
	}
	return exitFailed
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

var (
	errUsage = errors.New("usage")
	// errReader says that whoever read our output has gone, as head does.
	errReader = syscall.EPIPE
)

// usagef returns an error that blames the call.
func usagef(format string, a ...any) error {
	return &usageError{fmt.Sprintf(format, a...)}
}

type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }
func (e *usageError) Unwrap() error { return errUsage }

const examples = `  fsa demo                                          see it work on made-up data
  fsa fit train.csv --target price                  select columns and learn
  fsa fit train.csv --target price -k 10            select 10 columns
  fsa fit train.csv --target price -k 10 --out run  the same, and keep the model
  fsa show run                                      what was selected
  fsa report run                                    a page to look at
  fsa predict run test.csv > predictions.csv        use the model
  fsa export run --to onnx --out model.onnx         use it elsewhere
  fsa fit X.npy --target y.npy -k 30 --bins 5       piecewise-linear responses
  fsa fit train.svm -k 100 --loss lorenz            sparse data, noisy labels`

func newRoot(began *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "fsa",
		Short: "Select the k variables that matter, and learn a model on them",
		Long: `fsa reads a table of many columns, selects the k that matter for a target and
learns a model on them. It starts with all columns and alternates one step of
learning with dropping the weakest ones (feature selection with annealing).

Examples:
` + examples,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			*began = true
			if err := noEmptyFlags(cmd); err != nil {
				return err
			}
			return outputsHere(cmd)
		},
	}
	about := versionFlags(root)
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if about.given {
			return about.print(cmd)
		}
		if about.json {
			return usagef("--json goes with --version, or with a command")
		}
		return cmd.Help()
	}
	root.SetUsageFunc(printUsage)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(fitCommand(), describeCommand(), cvCommand(), predictCommand(), showCommand(), reportCommand(), plotCommand(), viewCommand(), exportCommand(), convertCommand(), generateCommand(), demoCommand(), benchCommand(), devicesCommand(), motionCommand(), keypointCommand(), paperCommand(), manCommand(), versionCommand(), serveCommand())
	return root
}
