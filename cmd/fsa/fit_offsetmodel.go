package main

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"fsa"
)

// startFrom reads the model of --offset-model. The table is read as that model expects its columns, also those that look
// like identifiers.
func startFrom(cmd *cobra.Command, path string, in *input, o *fsa.Options) error {
	if path == "" {
		return nil
	}
	m, _, err := loadModel(cmd.Context(), modelPath(path))
	if err != nil {
		return err
	}
	in.Kinds = m.Kinds()
	for _, name := range in.Drop {
		if _, needed := in.Kinds[name]; needed && name != m.Training().Target {
			return usagef("--drop %s: the model of --offset-model %s needs this column: keep it", name, path)
		}
	}
	in.expects = slices.Sorted(maps.Keys(in.Kinds))
	o.Objective.OffsetModel = m
	return nil
}
