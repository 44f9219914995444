package main

import "github.com/spf13/cobra"

func keypointCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keypoint",
		Short: "Learn to find keypoints of faces on photographs, and find them",
		Long: `keypoint learns detectors of eye centres, nose sides, mouth corners and the chin
from annotated photographs, and finds these keypoints on others.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(keypointTrainCommand(), keypointDetectCommand(), keypointEvaluateCommand())
	return cmd
}
