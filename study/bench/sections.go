package bench

import (
	"context"
	"io"
	"slices"
)

// section is a measurement and how its part of the report is printed.
type section struct {
	name    string
	measure func(*bencher, context.Context) error
	print   func(*Report, io.Writer)
}

// sections lists the sections in the order in which they are taken and printed. A new section needs
// a line here, its name beside [Options], its part of [Report], and its sizes in the plan. Only
// [Run] and [Options.Validate] use the list: all other files are below it.
var sections = []section{
	{Pass, (*bencher).pass, (*Report).printPass},
	{Fits, (*bencher).fits, (*Report).printFits},
	{Choice, (*bencher).choice, (*Report).printChoosing},
	{Commands, (*bencher).command, (*Report).printCommands},
	{Threads, (*bencher).threads, (*Report).printThreads},
	{Scaling, (*bencher).scaling, (*Report).printScaling},
	{OutOfCore, (*bencher).disk, (*Report).printDisk},
	{Device, (*bencher).device, (*Report).printDevice},
	{Live, (*bencher).live, (*Report).printWatched},
	{Grid, (*bencher).onGrid, (*Report).printGrids},
	{Shapes, (*bencher).shapes, (*Report).printShapes},
}

// Measurements lists the names of the sections in the order in which they are taken.
func Measurements() []string {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}

// onRequest reports whether a section is left out unless it is requested by name: it fills the disk
// and may take an hour.
func (s section) onRequest() bool { return s.name == Shapes }

// taken returns the sections with the given names; no name means all except those on request.
func taken(only []string) []section {
	return slices.DeleteFunc(slices.Clone(sections), func(s section) bool {
		if len(only) == 0 {
			return s.onRequest()
		}
		return !slices.Contains(only, s.name)
	})
}
