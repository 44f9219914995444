package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
)

// comparisonName is the report of several runs, where the program is called.
const comparisonName = "comparison.html"

func reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RUN…",
		Short: "Write what is known of a run as one HTML page",
		Long: `report writes one HTML file that needs nothing from outside: how many variables,
which, how they act, how sure and how good that is, what nearly made it, and what
was run. RUN is a run folder of fsa fit or fsa motion train, or a detector of
fsa keypoint train. Several runs give a page that sets them side by side.`,
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

// reportPath returns where the report of a model belongs: into its folder, but beside a
// detector, of which there may be several in one.
func reportPath(ctx context.Context, file string) string {
	if begins(ctx, file, keypoint.Sniff) {
		return detectorPage(file)
	}
	return filepath.Join(filepath.Dir(file), reportName)
}
