package main

import (
	"github.com/spf13/cobra"
)

func showCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show MODEL",
		Short:   "Show what a model has selected and learned",
		Long:    "show prints a model. MODEL is a run folder or the model.json in it.",
		Example: "  fsa show run\n  fsa show run --json",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := modelPath(args[0])
			m, sum, err := loadModel(cmd.Context(), path)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), newSummary(m, readTiming(path, sum), ""))
			}
			return printModel(cmd.OutOrStdout(), m, readTiming(path, sum))
		},
	}
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}
