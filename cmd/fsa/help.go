package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of a terminal to which the lines of flags are wrapped.
const helpWidth = 79

// printUsage writes how a command is used. It prints what cobra prints, but with long lines of
// flags wrapped. A template of cobra would link text/template.
func printUsage(cmd *cobra.Command) error {
	return printUsageWith(cmd, func(b *strings.Builder) { printFlags(b, "Flags", cmd.LocalFlags()) })
}

// printUsageWith is [printUsage] for a command that prints its flags itself.
func printUsageWith(cmd *cobra.Command, flags func(b *strings.Builder)) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "\n  %s", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n  %s [command]", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\n\nExamples:\n%s", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		printCommands(&b, "Available Commands:", cmd, "")
		for _, group := range cmd.Groups() {
			printCommands(&b, group.Title, cmd, group.ID)
		}
	}
	flags(&b)
	printFlags(&b, "Global Flags", cmd.InheritedFlags())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", cmd.CommandPath())
	}
	b.WriteString("\n")
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// printCommands lists the commands of a group.
func printCommands(b *strings.Builder, head string, cmd *cobra.Command, group string) {
	fmt.Fprintf(b, "\n\n%s", head)
	for _, sub := range cmd.Commands() {
		if sub.GroupID == group && (sub.IsAvailableCommand() || sub.Name() == "help") {
			fmt.Fprintf(b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
}

func printFlags(b *strings.Builder, head string, flags *pflag.FlagSet) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(b, "\n\n%s:\n%s", head, strings.TrimRight(flags.FlagUsagesWrapped(helpWidth), " \t\n"))
	}
}
