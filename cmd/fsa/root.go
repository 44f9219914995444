package main

import "github.com/spf13/cobra"

const examples = `  fsa demo                                          run an example
  fsa fit train.csv --target price                  select and fit
  fsa fit train.csv --target price -k 10            select 10 columns
  fsa fit train.csv --target price -k 10 --out run  the same, and save the model
  fsa show run                                      print the model
  fsa report run                                    write a report
  fsa predict run test.csv > predictions.csv        predict new rows
  fsa export run --to onnx --out model.onnx         export the model
  fsa fit X.npy --target y.npy -k 30 --bins 5       curves instead of lines
  fsa fit train.svm -k 100 --loss lorenz            sparse data, noisy labels`

func newRoot(began *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "fsa",
		Short: "Select the k variables that matter, and fit a model on them",
		Long: `fsa reads a table, selects the k columns that predict a target, and fits a
model on them. Training starts with all columns and drops the weakest ones step
by step (feature selection with annealing).

Examples:
` + examples,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			*began = true
			if err := noEmptyFlags(cmd); err != nil {
				return err
			}
			return outputsHere(cmd)
		},
	}
	about := versionFlags(root)
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if about.given {
			return about.print(cmd)
		}
		if about.json {
			return usagef("--json must be used with --version, or with a command")
		}
		return cmd.Help()
	}
	root.SetUsageFunc(printUsage)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(research)
	root.AddCommand(commands()...)
	return root
}

// research is the group of the commands that few users need.
var research = &cobra.Group{ID: "research", Title: "Research commands:"}

func ofResearch(cmd *cobra.Command) *cobra.Command {
	cmd.GroupID = research.ID
	return cmd
}

// commands lists the commands of the program. The files of each begin with its name.
func commands() []*cobra.Command {
	return []*cobra.Command{
		// tables
		describeCommand(), convertCommand(), generateCommand(),
		// fitting
		fitCommand(), cvCommand(), compareCommand(),
		// models and runs
		predictCommand(), showCommand(), runsCommand(), reportCommand(), plotCommand(), viewCommand(), exportCommand(),
		// the applications and experiments of the paper, and benchmarks
		ofResearch(motionCommand()), ofResearch(keypointCommand()), demoCommand(), ofResearch(paperCommand()), ofResearch(benchCommand()),
		// the program itself
		devicesCommand(), manCommand(), versionCommand(), serveCommand(),
	}
}
