package main

import (
	"github.com/spf13/pflag"

	"fsa/data/open"
)

// alsoCalled gives a flag a second name.
func alsoCalled(flags *pflag.FlagSet, second, name string) {
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == second {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}

// jsonFlag adds the flag that lets a program read what is printed.
func jsonFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "json", false, "print one JSON object on standard output")
}

// parseSize reads how many bytes a flag of that name allows; 0 if it is not given.
func parseSize(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := open.ParseSize(text)
	if err != nil {
		return 0, usagef("--%s: %v", flag, err)
	}
	return n, nil
}

// The seeds from 1000 on are those that results are reported for; defaults were
// chosen on others.
const reportedSeeds = 1000
