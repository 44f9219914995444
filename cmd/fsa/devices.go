package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fsa/internal/cuda"
)

func devicesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the GPUs that a fit can run on",
		Long: `devices lists the GPUs that fit --device cuda can use. Only the driver of the
GPU has to be installed, no toolkit.`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := cuda.Devices()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), all)
			}
			t := newTable(cmd.OutOrStdout())
			fmt.Fprintln(t, "device\tname\tmemory\tcapability\tmultiprocessors")
			for _, i := range all {
				fmt.Fprintf(t, "cuda %d\t%s\t%.0f GB\t%d.%d\t%d\n", i.Number, clean(i.Name), float64(i.Memory)/1e9, i.Major, i.Minor, i.Multiprocessors)
			}
			return t.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array on standard output")
	return cmd
}
