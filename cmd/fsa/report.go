package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
)

// comparisonName is the report of several runs, in the current folder.
const comparisonName = "comparison.html"

func reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RUN…",
		Short: "Write a report of a run as one HTML page",
		Long: `report writes one HTML file that works offline: the number of variables, the
selected variables and their effects, the stability of the selection, the
performance, the variables that were almost selected, and the settings of the
run. RUN is a run folder of fsa fit or fsa motion train, or a detector of fsa
keypoint train. Several runs are compared on one page.`,
		Example: "  fsa report run\n  fsa report run1 run2 --out comparison.html",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				if out = comparisonName; len(args) == 1 {
					out = reportPath(cmd.Context(), modelPath(args[0]))
				}
			}
			return writeReport(cmd, args, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`FILE` for the page (default report.html in the run folder or beside the detector, or comparison.html here)")
	return cmd
}

// reportPath returns the path of the report of a model: in its folder, but beside a detector,
// because a folder may have several.
func reportPath(ctx context.Context, file string) string {
	if begins(ctx, file, keypoint.Sniff) {
		return detectorPage(file)
	}
	return filepath.Join(filepath.Dir(file), reportName)
}
