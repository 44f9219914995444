package main

import (
	"github.com/spf13/cobra"

	"fsa/app/motion"
)

// poolFlag adds the flag that chooses the candidates.
func poolFlag(cmd *cobra.Command, pool *string, value motion.Pool) {
	cmd.Flags().StringVar(pool, "pool", string(value), "candidates to choose from: paper (velocity clustering) or wide (other methods too)")
}
