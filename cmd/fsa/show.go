package main

import (
	"github.com/spf13/cobra"

	"fsa/internal/runs"
)

func showCommand() *cobra.Command {
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Print the selected variables and the metrics of a model",
		Long: `show prints a model: the selected variables with their importance and
coefficients, and the metrics. MODEL is a run folder or the model.json in it.`,
		Example: "  fsa show run\n  fsa show run --json",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := modelPath(args[0])
			m, sum, err := loadModel(cmd.Context(), path)
			if err != nil {
				return err
			}
			if err := tellChanged(cmd, args[0]); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), newSummary(m, runs.ReadTiming(path, sum), ""))
			}
			return printModel(cmd.OutOrStdout(), m, runs.ReadTiming(path, sum), verbose, "")
		},
	}
	jsonFlag(cmd.Flags(), &asJSON)
	verboseFlag(cmd.Flags(), &verbose)
	return cmd
}
