package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa/internal/version"
)

// manName returns the name of the manual page of a command, such as fsa-fit.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writeMan writes the manual page of a command in the language of man(7). It has the date of the program, so that the
// same program always writes the same page.
func writeMan(w io.Writer, cmd *cobra.Command) error {
	name, date := manName(cmd), ""
	if at, err := time.Parse(time.RFC3339, version.Get().Date); err == nil {
		date = at.Format("2006-01-02")
	}
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 %q %q fsa\n", strings.ToUpper(roff(name)), date, "fsa "+version.String())
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	long := cmd.Long
	if long == "" {
		long = cmd.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, long)
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roffLines(cmd.Example))
	}
	var see []string
	if cmd.HasParent() {
		see = append(see, manName(cmd.Parent()))
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			see = append(see, manName(c))
		}
	}
	for i := range see {
		see[i] = `\fB` + roff(see[i]) + `\fR(1)`
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(see, ",\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

// manText writes paragraphs, in which indented lines are kept as they are.
func manText(b *strings.Builder, text string) {
	kept := false
	keep := func(on bool) {
		if on != kept {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[on])
		}
		kept = on
	}
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		if line == "\n" {
			keep(false)
			b.WriteString(".PP\n")
			continue
		}
		keep(strings.HasPrefix(line, " "))
		b.WriteString(roffLines(line))
	}
	keep(false)
}

// manFlags writes a section of flags, if there are any.
func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	b.WriteString(".SH " + title + "\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			name = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + name
		}
		if value != "" {
			name += ` \fI` + roff(value) + `\fR`
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", name, roffLines(usage))
	})
}

// roff escapes a text for man(7). Characters beyond ASCII are written by their numbers, which every troff reads.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// roffLines escapes lines, which must not begin like a request.
func roffLines(text string) string {
	lines := strings.Split(roff(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
