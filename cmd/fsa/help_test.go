package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every flag of fit and cv has one heading, and --help shows few of them.
func TestFitTiers(t *testing.T) {
	var names []string
	for _, tier := range fitTiers() {
		names = append(names, tier.usual...)
		names = append(names, tier.others...)
	}
	for _, cmd := range []*cobra.Command{fitCommand(), cvCommand()} {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if n := len(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name != f.Name })); n != 1 {
				t.Errorf("%s: --%s has %d headings", cmd.Name(), f.Name, n)
			}
		})
	}
	usual, all := must(t, "fit", "--help"), must(t, "fit", "--help-all")
	if n := strings.Count(usual, "--"); n > 40 {
		t.Errorf("--help names %d flags", n)
	}
	for _, head := range []string{"What to predict:", "How many:", "Model:", "Validation:", "Output:"} {
		if !strings.Contains(usual, head) || !strings.Contains(all, head) {
			t.Errorf("no heading %q", head)
		}
	}
	for _, flag := range []string{"--mu", "--eta", "--momentum", "--warm-up", "--batch", "--storage", "--spacing"} {
		if strings.Contains(usual, flag+" ") || !strings.Contains(all, flag+" ") {
			t.Errorf("%s is not for experts only", flag)
		}
	}
	for _, args := range [][]string{{"man", "fit"}, {"__complete", "fit", "--"}} {
		if text := must(t, args...); !strings.Contains(text, "warm-up") && !strings.Contains(text, `warm\-up`) {
			t.Errorf("%v lacks --warm-up", args)
		}
	}
	if code, _, msg := call(t, "fit"); code != exitUsage || !strings.Contains(msg, "DATA is missing") {
		t.Errorf("fit alone: exit code %d, %s", code, msg)
	}
}

// Placeholders mean something: none is the name of a type.
func TestPlaceholders(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"string", "strings", "stringArray", "int", "uint", "float", "duration", "number", "mark"}, name) {
				t.Errorf("%s --%s %s", cmd.CommandPath(), f.Name, name)
			}
		})
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRoot(new(bool)))
}

// Commands that few users need have a heading of their own.
func TestResearchCommands(t *testing.T) {
	_, research, found := strings.Cut(must(t, "--help"), "Research commands:")
	for _, name := range []string{"bench", "keypoint", "motion", "paper"} {
		if !found || !strings.Contains(research, "\n  "+name+" ") {
			t.Errorf("%s is not among the research commands", name)
		}
	}
}
