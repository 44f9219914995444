package paper

import "fsa/data/synth"

// regression is the paper's table on a linear target with noise.
var regression = comparison{
	name: "regression", file: "table_regression.csv",
	task: synth.Regression, measure: rmse,
	contenders: []contender{
		{label: "FSA", name: ours},
		{label: "FSA+", name: ours, polish: true},
		{label: "SA", name: "sa", free: true, most: 20},
		{label: "QTP", name: "qtp"},
		{label: "L1", name: "l1"},
		{label: "EL", name: "elastic-net"},
		{label: "L2", name: "ridge", free: true},
		{label: "MCP", name: "mcp"},
		{label: "SCAD", name: "scad"},
	},
}
