package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:generate go test -run TestCommandsPage$ -update .

// docs/commands.md is generated from the help of the commands.
func TestCommandsPage(t *testing.T) {
	const path = "../../docs/commands.md"
	page := commandsPage()
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, path)) != page {
		t.Errorf("%s is not up to date: run go generate ./cmd/fsa", path)
	}
}

// commandsPage returns the reference of all commands and flags as Markdown.
func commandsPage() string {
	var b strings.Builder
	b.WriteString(`# Commands and flags

All commands of the program with all flags. This page is generated from the program: ` + "`--help`" + ` and, of ` + "`fsa fit`" + ` and ` + "`fsa cv`" + `, ` + "`--help-all`" + ` print the same.
[Files](formats.md#exit-codes) lists the exit codes.

`)
	root := newRoot(new(bool))
	root.InitDefaultHelpFlag()
	b.WriteString("| command | |\n|---|---|\n")
	var list []*cobra.Command
	var collect func(cmd *cobra.Command)
	collect = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				list = append(list, sub)
				collect(sub)
			}
		}
	}
	collect(root)
	slices.SortStableFunc(list, func(a, b *cobra.Command) int { return cmp.Compare(rank(a), rank(b)) })
	for _, cmd := range list {
		path := cmd.CommandPath()
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", path, strings.ReplaceAll(path, " ", "-"), cell(cmd.Short))
	}
	for _, cmd := range list {
		writeCommand(&b, cmd)
	}
	return b.String()
}

// rank puts the commands of research last.
func rank(cmd *cobra.Command) int {
	if cmd.GroupID == research.ID || cmd.HasParent() && cmd.Parent().GroupID == research.ID {
		return 1
	}
	return 0
}

func writeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n", cmd.CommandPath())
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(paragraph, "  ") { // a list in columns
			fmt.Fprintf(b, "```\n%s\n```\n\n", paragraph)
			continue
		}
		fmt.Fprintf(b, "%s\n\n", paragraph)
	}
	fmt.Fprintf(b, "Usage: `%s`\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(b, "\nExamples:\n\n```\n%s\n```\n", unindent(cmd.Example))
	}
	if cmd.Name() != "fit" && cmd.Name() != "cv" {
		writeFlags(b, "", cmd.LocalFlags())
		return
	}
	for _, t := range fitTiers() {
		writeFlags(b, t.head, someFlags(cmd.Flags(), slices.Concat(t.usual, t.others)))
	}
}

// writeFlags writes a table of flags, without --help.
func writeFlags(b *strings.Builder, head string, flags *pflag.FlagSet) {
	var rows strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == helpAll {
			return
		}
		placeholder, usage := pflag.UnquoteUsage(f)
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		name = strings.TrimSpace(name + " " + cell(placeholder))
		if strings.Contains(usage, "(default") || f.DefValue == "" || f.DefValue == "false" || f.DefValue == "0" || f.DefValue == "[]" {
			fmt.Fprintf(&rows, "| %s | %s |\n", name, cell(usage))
			return
		}
		fmt.Fprintf(&rows, "| %s | %s (default %s) |\n", name, cell(usage), cell(f.DefValue))
	})
	if rows.Len() == 0 {
		return
	}
	if head != "" {
		fmt.Fprintf(b, "\n**%s**\n", head)
	}
	fmt.Fprintf(b, "\n| flag | |\n|---|---|\n%s", rows.String())
}

// cell escapes the text of a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "_", `\_`, "\n", " ").Replace(text)
}

// unindent removes the two blanks before each line of an example.
func unindent(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
}
