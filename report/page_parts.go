package report

// historyRow is a line of the page of runs.
type historyRow struct {
	Path, Table, Target, Task, K, Score, Seconds, Started, Version string
	SortScore, SortSeconds                                         string
}

// history is a page about the runs in a folder.
type history struct {
	Rows     []historyRow
	Names    []string
	Settings []settingRow
}

// treatmentRow describes how a column was read and used.
type treatmentRow struct{ Name, Kind, Shape, Missing string }

// settingRow is a setting that differs between runs, with its value in each.
type settingRow struct {
	Name   string
	Values []string
}

// pairedRow compares the out-of-fold losses of a run with those of the first one.
type pairedRow struct {
	Name, Loss, Rows, Difference, Interval, Verdict string
}
