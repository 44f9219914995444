package main

import "github.com/spf13/cobra"

func keypointCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keypoint",
		Short: "Train detectors of face keypoints, and run them",
		Long: `keypoint trains detectors of eye centres, nose sides, mouth corners and the
chin on annotated photographs, and finds these keypoints on other photographs.`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(keypointTrainCommand(), keypointDetectCommand(), keypointEvaluateCommand())
	return cmd
}
