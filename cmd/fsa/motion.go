package main

import "github.com/spf13/cobra"

func motionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "motion",
		Short: "Segment point tracks by motion",
		Long: `motion segments points that were tracked through a video by their motion. It
makes many candidate segmentations and describes each by about a thousand
features; a ranking model chooses one. A sequence is a MATLAB 5 file with an
array x of 3 × points × frames and, for training, an array s with the motion of
each point, as in the Hopkins 155 benchmark.`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(motionTrainCommand(), motionSegmentCommand(), motionEvaluateCommand())
	return cmd
}
