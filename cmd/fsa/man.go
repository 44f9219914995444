package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man [COMMAND]",
		Short:   "Print the manual page of fsa or of one of its commands",
		Example: "  fsa man | man -l -\n  fsa man fit > fsa-fit.1",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			page := cmd.Root()
			if len(args) == 1 {
				found, _, err := page.Find(args)
				if err != nil || found == page {
					return usagef("there is no command %q", args[0])
				}
				page = found
			}
			page.DisableAutoGenTag = true
			return doc.GenMan(page, &doc.GenManHeader{Title: "FSA", Section: "1", Source: "fsa", Manual: "fsa"}, cmd.OutOrStdout())
		},
	}
}
