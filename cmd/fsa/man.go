package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"fsa/internal/version"
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
			page.DisableAutoGenTag = true
			if all != "" {
				if len(args) > 0 {
					return usagef("--all writes the pages of all commands: leave %s out", args[0])
				}
				if err := os.MkdirAll(all, 0o755); err != nil {
					return err
				}
				return doc.GenManTreeFromOpts(page, doc.GenManTreeOptions{Header: manHeader(), Path: all, CommandSeparator: "-"})
			}
			if len(args) == 1 {
				found, _, err := page.Find(args)
				if err != nil || found == page {
					return usagef("there is no command %q", args[0])
				}
				page = found
			}
			page.DisableAutoGenTag = true
			return doc.GenMan(page, manHeader(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&all, "all", "", "write the pages of all commands into this `FOLDER`")
	return cmd
}

// manHeader has the date of the program, so that the same program always writes the same page.
func manHeader() *doc.GenManHeader {
	h := &doc.GenManHeader{Title: "FSA", Section: "1", Source: "fsa " + version.String(), Manual: "fsa"}
	if date, err := time.Parse(time.RFC3339, version.Get().Date); err == nil {
		h.Date = &date
	}
	return h
}
