package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// tier is a heading in the help of a command with many flags. --help shows its usual flags,
// --help-all also the others.
type tier struct {
	head          string
	usual, others []string
}

// helpAll is the flag that shows all flags.
const helpAll = "help-all"

// inTiers adds the flag --help-all to a command, and lists its flags under headings. Flags that the
// command does not have are skipped.
func inTiers(cmd *cobra.Command, tiers []tier) {
	var all bool
	cmd.Flags().BoolVar(&all, helpAll, false, "show all flags, also those for experts")
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		return printUsageWith(cmd, func(b *strings.Builder) {
			for _, t := range tiers {
				names := t.usual
				if all {
					names = slices.Concat(t.usual, t.others)
				}
				printFlags(b, t.head, someFlags(cmd.Flags(), names))
			}
		})
	})
	args, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if all {
			return nil
		}
		return args(cmd, given)
	}
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if all {
			return cmd.Help()
		}
		return run(cmd, given)
	}
}

// someFlags returns the flags with these names, in this order.
func someFlags(from *pflag.FlagSet, names []string) *pflag.FlagSet {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	some.SortFlags = false
	for _, name := range names {
		if f := from.Lookup(name); f != nil {
			some.AddFlag(f)
		}
	}
	return some
}
