package main

import (
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"fsa/internal/serve"
	"fsa/internal/version"
)

// serveCommand is not for users: a process that uses the program as a library starts it.
func serveCommand() *cobra.Command {
	var owner int
	cmd := &cobra.Command{
		Use:    "serve",
		Short:  "Answer requests for fits on standard input and output",
		Hidden: true,
		Args:   arguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(os.Interrupt) // Ctrl-C is for the parent process, which cancels requests
			if owner > 0 {
				go endWith(owner)
			}
			return serve.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), version.String())
		},
	}
	cmd.Flags().IntVar(&owner, "owner", 0, "end when `PID` is no longer the parent process")
	return cmd
}

// endWith ends the program when owner is no longer its parent: the owner has then ended, even if a
// child of it still holds our input open.
func endWith(owner int) {
	for os.Getppid() == owner {
		time.Sleep(time.Second)
	}
	os.Exit(exitDone)
}
