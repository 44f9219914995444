package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fsa/internal/atomicfile"
	"fsa/report"
)

func plotCommand() *cobra.Command {
	var what, out string
	var variables []string
	cmd := &cobra.Command{
		Use:   "plot RUN",
		Short: "Draw one picture of a run, for a paper",
		Long: `plot draws one of the pictures of fsa report alone, with letters as shapes, so that
it looks the same everywhere. RUN is a run folder of fsa fit --out.`,
		Example: "  fsa plot run --what cv --out curve.svg\n  fsa plot run --what responses --variables age,height --out responses.pdf",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			format := strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), ".")
			switch {
			case !slices.Contains(report.Pictures(), what):
				return usagef("--what %s: it must be %s", what, strings.Join(report.Pictures(), ", "))
			case out == "":
				return usagef("--out is missing: name the file for the picture, such as %s.svg", what)
			case !slices.Contains(report.Formats(), format):
				return usagef("--out %s: it must end in .%s", out, strings.Join(report.Formats(), ", ."))
			}
			r, err := readRun(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return atomicfile.WriteFile(out, func(w io.Writer) error { return report.Plot(w, r, what, format, variables) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&what, "what", "cv", "`PLOT` to draw: "+strings.Join(report.Pictures(), ", "))
	f.StringVar(&out, "out", "", "`FILE` for the picture: .svg, .png or .pdf")
	f.StringSliceVar(&variables, "variables", nil, "draw only `VARIABLE,...` (responses, importance and stability)")
	return cmd
}
