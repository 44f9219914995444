package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa/data"
	"fsa/internal/format/s3"
)

// arguments returns an error for arguments that do not match the use line of a command: the words
// after its name, up to the first flag. An argument in brackets is optional, and the last one may
// be repeated if it ends in an ellipsis. A command that has only subcommands takes the name of one
// of them.
func arguments(cmd *cobra.Command, args []string) error {
	words := strings.Fields(cmd.Use)[1:]
	if i := slices.IndexFunc(words, func(w string) bool { return w[0] == '-' }); i >= 0 {
		words = words[:i]
	}
	if len(args) < len(words) && words[len(args)][0] != '[' {
		return usagef("%s is missing: write %s", strings.TrimSuffix(words[len(args)], "…"), cmd.UseLine())
	}
	if len(args) > len(words) && len(words) == 0 && cmd.HasAvailableSubCommands() {
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		return usagef("%s: it must be one of %s", args[0], strings.Join(names, ", "))
	}
	if len(args) > len(words) && (len(words) == 0 || !strings.HasSuffix(words[len(words)-1], "…")) {
		return usagef("%q is one argument too many: write %s", args[len(words)], cmd.UseLine())
	}
	for _, a := range args {
		if len(cmd.ValidArgs) > 0 && !slices.Contains(cmd.ValidArgs, a) {
			return usagef("%s: it must be one of %s", a, strings.Join(cmd.ValidArgs, ", "))
		}
	}
	return nil
}

// flagError describes an error in a flag without the words of the libraries.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		given := "--" + e.GetSpecifiedName()
		if letters := e.GetSpecifiedShortnames(); letters != "" {
			given = "-" + letters
		}
		if near := nearest(strings.TrimLeft(given, "-"), cmd.Flags()); near != "" {
			return usagef("unknown flag %s: did you mean --%s?", given, near)
		}
		return usagef("unknown flag %s", given)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return usagef("%s needs a value", flagName(e.GetFlag()))
	}
	e, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		return usagef("%s %s: the number is too large", flagName(e.GetFlag()), e.GetValue())
	}
	want, known := map[string]string{
		"int": "a whole number", "uint64": "a whole number and not negative", "float64": "a number", "bool": "true or false",
		"stringSlice": "names separated by commas; put a name that contains quotation marks in quotation marks, and double those in it",
	}[e.GetFlag().Value.Type()]
	if !known { // our own errors are already complete
		return usagef("%s %s: %v", flagName(e.GetFlag()), e.GetValue(), e.Unwrap())
	}
	return usagef("%s %s: it must be %s", flagName(e.GetFlag()), e.GetValue(), want)
}

// noEmptyFlags returns an error for a flag with an empty value, such as an unset shell variable: a
// user who writes --out wants a file.
func noEmptyFlags(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := map[string]string{"string": "", "stringSlice": "[]"}
		if nothing, ok := empty[f.Value.Type()]; ok && f.Value.String() == nothing && err == nil {
			err = usagef("%s is empty: give it a value or leave it out", flagName(f))
		}
	})
	return err
}

// onThisMachine returns an error for an output in an object store: its address would be read as a
// folder called s3: and so on.
func onThisMachine(path string) error {
	if s3.Is(path) {
		return usagef("%s: output is written to this machine only: copy it to the store afterwards", path)
	}
	return nil
}

// outputsHere is [onThisMachine] for the flags of outputs.
func outputsHere(cmd *cobra.Command) error {
	for _, name := range []string{"out", "svg", "draw", "state"} {
		if f := cmd.Flags().Lookup(name); f != nil {
			if err := onThisMachine(f.Value.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// flagName returns the name of a flag in examples.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// nearest returns the flag that a misspelt one probably means, or "" if there is none.
func nearest(name string, flags *pflag.FlagSet) string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return data.Nearest(name, names)
}

// strict makes the commands that cobra adds return errors for unknown arguments. The outputs must
// be set before, because completion commands keep them.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err == nil && found != root && len(rest) > 0 {
					return usagef("unknown command %q for %q", rest[0], found.CommandPath())
				}
				return err
			}
		case "completion": // cobra checks the arguments only of commands that run
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}
