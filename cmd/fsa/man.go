package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fsa/internal/atomicfile"
)

func manCommand() *cobra.Command {
	var all string
	cmd := &cobra.Command{
		Use:     "man [COMMAND]",
		Short:   "Print the manual page of fsa or of one of its commands",
		Example: "  fsa man | man -l -\n  fsa man fit > fsa-fit.1\n  fsa man --all pages",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			page := cmd.Root()
			if all != "" {
				if len(args) > 0 {
					return usagef("--all writes the pages of all commands: leave %s out", args[0])
				}
				if err := os.MkdirAll(all, 0o755); err != nil {
					return err
				}
				return writeMans(all, page)
			}
			if len(args) == 1 {
				found, _, err := page.Find(args)
				if err != nil || found == page {
					return usagef("there is no command %q", args[0])
				}
				page = found
			}
			return writeMan(cmd.OutOrStdout(), page)
		},
	}
	cmd.Flags().StringVar(&all, "all", "", "write the pages of all commands into this `FOLDER`")
	return cmd
}

// writeMans writes the pages of a command and of those below it.
func writeMans(folder string, cmd *cobra.Command) error {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if err := writeMans(folder, c); err != nil {
			return err
		}
	}
	return atomicfile.WriteFile(filepath.Join(folder, manName(cmd)+".1"), func(w io.Writer) error { return writeMan(w, cmd) })
}
