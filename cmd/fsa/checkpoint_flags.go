package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fsa/internal/version"
)

// saving holds the flags about stopping and continuing.
type saving struct {
	resume bool
	every  time.Duration
	most   time.Duration // maximal duration of the fit
	start  time.Time
}

func (s *saving) flags(f *pflag.FlagSet) {
	s.resumeFlags(f, "a fit")
	f.DurationVar(&s.most, "max-time", 0, "stop after `TIME`, such as 2h, and select the strongest variables left at that time")
}

// resumeFlags holds the flags of commands that can be continued, but have no time limit.
func (s *saving) resumeFlags(f *pflag.FlagSet, what string) {
	f.BoolVar(&s.resume, "resume", false, "continue from the checkpoint that "+what+" left in the folder of --out, if there is one")
	s.everyFlag(f, "write a checkpoint into that folder every `TIME`")
}

func (s *saving) everyFlag(f *pflag.FlagSet, usage string) {
	f.DurationVar(&s.every, "checkpoint-every", time.Minute, usage)
}

// check returns an error for invalid combinations of flags.
func (s *saving) check(cmd *cobra.Command, out string) error {
	given := cmd.Flags().Changed
	switch {
	case given("max-time") && s.most <= 0:
		return usagef("--max-time %v: it must be positive", s.most)
	case s.every <= 0:
		return usagef("--checkpoint-every %v: it must be positive", s.every)
	case out == "" && (s.resume || given("checkpoint-every")):
		return usagef("--out is missing: give the folder of the checkpoints")
	}
	return nil
}

// deadline returns the time at which the fit must end; zero if there is none.
func (s *saving) deadline() time.Time {
	if s.most == 0 {
		return time.Time{}
	}
	return s.start.Add(s.most)
}

// notBinding lists flags that do not change the model, such as those that say where it is written.
var notBinding = map[string]bool{
	"out": true, "no-rows": true, "report": true, "live": true, "open": true, "json": true, "explain": true, "plan": true, "machines": true, "network": true, "threads": true, "grid": true, "rendezvous": true, "rank": true, "processes": true, "token-file": true, "tls": true, "resume": true, "checkpoint-every": true, "max-time": true,
}

// settings returns the flags that identify a fit, including those that are not given.
func settings(cmd *cobra.Command) map[string]string {
	of := map[string]string{"version": version.String()}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !notBinding[f.Name] && f.Name != "help" {
			of["--"+f.Name] = ""
			if f.Changed {
				of["--"+f.Name] = f.Value.String()
			}
		}
	})
	return of
}
