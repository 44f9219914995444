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
		Short: "Draw one figure of a run, for a paper",
		Long: `plot draws a single figure of the report. Text is drawn as shapes, so the
figure looks the same everywhere. RUN is a run folder of fsa fit --out.`,
		Example: "  fsa plot run --what cv --out curve.svg\n  fsa plot run --what effects --only age,height --out effects.pdf",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			format := strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), ".")
			if what == "responses" { // its name in version 0.1
				what = "effects"
			}
			switch {
			case !slices.Contains(report.Pictures(), what):
				return usagef("--what %s: it must be %s", what, strings.Join(report.Pictures(), ", "))
			case out == "":
				return usagef("--out is missing: give a file name for the picture, such as %s.svg", what)
			case !slices.Contains(report.Formats(), format):
				return usagef("--out %s: it must end in .%s", out, strings.Join(report.Formats(), ", ."))
			}
			r, err := readRun(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := tellChanged(cmd, args[0]); err != nil {
				return err
			}
			return atomicfile.WriteFile(out, func(w io.Writer) error { return report.Plot(w, r, what, format, variables) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&what, "what", "cv", "`PLOT` to draw: "+strings.Join(report.Pictures(), ", "))
	f.StringVar(&out, "out", "", "`FILE` for the picture: .svg, .png or .pdf")
	alsoCalled(f, map[string]string{"variables": "only"}) // its name in version 0.1
	f.StringSliceVar(&variables, "only", nil, "draw only `VARIABLE,...` (effects, importance and stability)")
	return cmd
}
