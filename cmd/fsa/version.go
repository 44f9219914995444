package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fsa/internal/version"
)

// aboutFlags are --version and --json of the program itself.
type aboutFlags struct{ given, json bool }

func versionFlags(root *cobra.Command) *aboutFlags {
	f := &aboutFlags{}
	root.Flags().BoolVarP(&f.given, "version", "v", false, "print the version and end")
	root.Flags().BoolVar(&f.json, "json", false, "print the version as JSON")
	return f
}

func (f *aboutFlags) print(cmd *cobra.Command) error {
	if f.json {
		return printJSON(cmd.OutOrStdout(), version.Get())
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "fsa %v\n", version.Get())
	return err
}

func versionCommand() *cobra.Command {
	f := &aboutFlags{given: true}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version: release or revision, date, Go, platform",
		Long: `version prints the release, or the revision if fsa was built from a checkout
(with +dirty if files were changed), the date of the commit, the version of Go
and the platform. Models, checkpoints and reports store the same version.`,
		Example: "  fsa version --json",
		Args:    arguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.print(cmd) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}
