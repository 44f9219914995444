package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data/open"
	"fsa/data/synth"
)

func generateCommand() *cobra.Command {
	var (
		c   synth.Config
		out string
	)
	cmd := &cobra.Command{
		Use:   "generate ar1|equicorrelated|zipf --out PATH",
		Short: "Generate synthetic data with known true variables",
		Long: `generate makes the data of the paper's experiments: correlated normal
variables, k of which determine the target. In ar1, neighbouring variables have
correlation rho. In equicorrelated, all variables share a common part of
strength alpha. In zipf, most cells are zero, and later variables have more
zeros. The target is a class, a number, a count or an amount, or three numbers.

The name of the output file decides the format: .npy, .csv, .svm, .parquet or
.fsa (zipf: .svm or .fsa), with .gz or .zst appended for compression. The
target is the last column, y, or the label of a row; for X.npy it is in
X.y.npy. X.truth.txt lists the true variables, counted from 0.`,
		Example: `  fsa generate ar1 --n 1000 --m 1000 --k 10 --noise 0.1 --out train.csv
  fsa generate equicorrelated --task regression --seed 1 --out X.npy`,
		Args:      arguments,
		ValidArgs: []string{synth.AR1, synth.Equicorrelated, synth.Zipf},
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Model = args[0]
			if c.Sigma < 0 || c.Alpha < 0 {
				return usagef("--sigma and --alpha must not be negative; 0 is none")
			}
			if cmd.Flags().Changed("sigma") && c.Sigma == 0 {
				c.Sigma = -1 // zero means none here, not the default
			}
			if cmd.Flags().Changed("alpha") && c.Alpha == 0 {
				c.Alpha = -1
			}
			if cmd.Flags().Changed("rho") && c.Rho == 0 {
				c.Rho = math.SmallestNonzeroFloat64
			}
			if out == "" {
				return usagef("--out is missing: give a file name that ends in .npy, .csv, .svm, .parquet or .fsa")
			}
			if err := c.Validate(); err != nil {
				return usagef("%v", err)
			}
			return generate(cmd.Context(), c, out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Task, "task", synth.Classification, "`TASK`: "+strings.Join(synth.Tasks(), ", "))
	f.IntVar(&c.N, "n", 1000, "`N` rows")
	f.IntVar(&c.M, "m", 1000, "`N` variables")
	f.IntVarP(&c.K, "k", "k", 10, "`N` true variables")
	f.Float64Var(&c.Noise, "noise", 0, "redraw this `SHARE` of the labels at random (classification)")
	f.Float64Var(&c.Sigma, "sigma", 0, "standard deviation `SD` of the noise (regression and multi, default 1)")
	f.Float64Var(&c.Rho, "rho", 0, "correlation `R` of neighbours (ar1, default 0.9)")
	f.Float64Var(&c.Alpha, "alpha", 0, "strength `A` of the shared part (equicorrelated, default 0.5)")
	f.IntVar(&c.Nonzeros, "nonzeros", 0, "`N` nonzero cells per row (zipf, default 115, or half of the variables)")
	f.Uint64Var(&c.Seed, "seed", 0, "random `SEED`")
	f.StringVar(&out, "out", "", "`FILE` to write: .npy, .csv, .svm, .parquet or .fsa")
	return cmd
}

// generate writes a synthetic table and its labels.
func generate(ctx context.Context, c synth.Config, path string) error {
	r, err := synth.NewReader(c)
	if err != nil {
		return err
	}
	defer r.Close()
	truth, err := open.CreateFile(open.Stem(path) + ".truth.txt")
	if err != nil {
		return err
	}
	defer truth.Abort()
	for _, j := range synth.Truth(c) {
		fmt.Fprintln(truth, j) // its errors appear on commit
	}
	return open.Write(ctx, path, r, c.N, truth)
}
