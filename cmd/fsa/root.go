package main

import "github.com/spf13/cobra"

const examples = `  fsa demo                                          see it work on made-up data
  fsa fit train.csv --target price                  select columns and learn
  fsa fit train.csv --target price -k 10            select 10 columns
  fsa fit train.csv --target price -k 10 --out run  the same, and keep the model
  fsa show run                                      what was selected
  fsa report run                                    a page to look at
  fsa predict run test.csv > predictions.csv        use the model
  fsa export run --to onnx --out model.onnx         use it elsewhere
  fsa fit X.npy --target y.npy -k 30 --bins 5       piecewise-linear responses
  fsa fit train.svm -k 100 --loss lorenz            sparse data, noisy labels`

func newRoot(began *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "fsa",
		Short: "Select the k variables that matter, and learn a model on them",
		Long: `fsa reads a table of many columns, selects the k that matter for a target and
learns a model on them. It starts with all columns and alternates one step of
learning with dropping the weakest ones (feature selection with annealing).

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
			return usagef("--json goes with --version, or with a command")
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

// commands are the verbs of the program. The files of each begin with its name.
func commands() []*cobra.Command {
	return []*cobra.Command{
		// tables
		describeCommand(), convertCommand(), generateCommand(),
		// learning
		fitCommand(), cvCommand(),
		// models and runs
		predictCommand(), showCommand(), reportCommand(), plotCommand(), viewCommand(), exportCommand(),
		// the applications and experiments of the paper, and benchmarks
		ofResearch(motionCommand()), ofResearch(keypointCommand()), demoCommand(), ofResearch(paperCommand()), ofResearch(benchCommand()),
		// the program itself
		devicesCommand(), manCommand(), versionCommand(), serveCommand(),
	}
}
