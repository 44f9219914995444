// Mutate measures how much of a package its own tests check. It changes one place of the source at
// a time, runs the short tests of the package, and counts the changes that a test notices:
//
//	go run ./scripts/mutate -n 60 ./internal/contest ./internal/plan ./internal/search
//
// A change negates a condition, shifts a comparison, swaps and/or, changes a constant by one, or
// removes a statement. The sources stay unchanged: go test reads the changed file through an
// overlay. Changes that do not compile do not count. It exits with status 1 if a share is below the
// floor.
//
// Some changes cannot alter what a program promises, and no test could notice them: another seed of a
// random generator, the capacity of a slice, the values returned beside an error, −2 in the place of −1
// as a mark, and the size of the sign that math.Inf and math.IsInf take. The first three are not tried.
// −1 becomes 0 instead, and signs are flipped.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// settings are those of the command line.
type settings struct {
	number  int
	seed    uint64
	floor   float64
	workers int
	timeout time.Duration
	match   *regexp.Regexp
}

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	s := settings{}
	flags.IntVar(&s.number, "n", 60, "changes to try in each package, at random; 0 means all")
	flags.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "seed of the random choice")
	flags.Float64Var(&s.floor, "floor", 0, "minimum share of the changes that tests must notice")
	flags.IntVar(&s.workers, "workers", 2, "changes tried in parallel")
	flags.DurationVar(&s.timeout, "timeout", 2*time.Minute, "time for the tests of a package; a change that takes longer is noticed")
	match := flags.String("match", "", "regular expression of the changes to try, as they are printed; empty means all")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	var err error
	if s.match, err = regexp.Compile(*match); err != nil || flags.NArg() == 0 {
		fmt.Fprintln(stderr, "usage: mutate [flags] package ...", err)
		return 2
	}
	fmt.Fprintf(stdout, "seed %d\n", s.seed)
	status := 0
	for _, dir := range flags.Args() {
		share, err := s.judge(stdout, dir)
		if err != nil {
			fmt.Fprintln(stderr, "mutate:", err)
			return 2
		}
		if share < s.floor {
			fmt.Fprintf(stdout, "%s: below the floor of %.0f%%\n", dir, 100*s.floor)
			status = 1
		}
	}
	return status
}

// outcome is the result of a change.
type outcome int

const (
	killed outcome = iota
	survived
	broken // it does not compile
)

// judge tries changes of a package, and returns the share that its tests noticed.
func (s *settings) judge(stdout io.Writer, dir string) (float64, error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	if out, err := s.test(dir, ""); err != nil {
		return 0, fmt.Errorf("%s: its tests fail as it is: %w\n%s", dir, err, out)
	}
	list, err := s.mutants(dir)
	if err != nil {
		return 0, err
	}
	rng := rand.New(rand.NewPCG(s.seed, 1))
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	wanted := len(list)
	if s.number > 0 {
		wanted = min(wanted, s.number)
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	next, tried, dead := 0, 0, 0
	var failed error
	for worker := range s.workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				mu.Lock()
				if tried >= wanted || next == len(list) || failed != nil {
					mu.Unlock()
					return
				}
				m := list[next]
				next++
				tried++ // undone if it does not compile
				mu.Unlock()
				o, err := s.try(filepath.Join(temp, fmt.Sprint(worker)), dir, m)
				mu.Lock()
				switch {
				case err != nil:
					failed = err
				case o == broken:
					tried--
				case o == killed:
					dead++
					fmt.Fprintf(stdout, "killed    %s\n", m)
				default:
					fmt.Fprintf(stdout, "SURVIVED  %s\n", m)
				}
				mu.Unlock()
			}
		}()
	}
	group.Wait()
	if failed != nil || tried == 0 {
		return 0, errors.Join(failed, errorIf(tried == 0, dir+": there is nothing to change"))
	}
	share := float64(dead) / float64(tried)
	fmt.Fprintf(stdout, "%s: %d of %d killed, %.0f%% (of %d possible)\n", dir, dead, tried, 100*share, len(list))
	return share, nil
}

func errorIf(yes bool, text string) error {
	if yes {
		return errors.New(text)
	}
	return nil
}

// mutants lists the changes of the files of a package.
func (s *settings) mutants(dir string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var list []mutant
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		of, err := mutantsOf(file, source)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	return slices.DeleteFunc(list, func(m mutant) bool { return !s.match.MatchString(m.String()) }), nil
}

// try runs the tests of a package with one change.
func (s *settings) try(temp, dir string, m mutant) (outcome, error) {
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return broken, err
	}
	source, err := os.ReadFile(m.file)
	if err != nil {
		return broken, err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return broken, err
	}
	changed := filepath.Join(temp, filepath.Base(m.file))
	if err := os.WriteFile(changed, m.apply(source), 0o644); err != nil {
		return broken, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return broken, err
	}
	path := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o644); err != nil {
		return broken, err
	}
	out, err := s.test(dir, path)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, nil
	case !errors.As(err, &exit):
		return broken, err
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		return broken, nil
	}
	return killed, nil
}

// test runs the tests of a package, and returns their output.
func (s *settings) test(dir, overlay string) (string, error) {
	args := []string{"test", "-short", "-failfast", "-vet=off", "-count=1", "-timeout", s.timeout.String()}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if !filepath.IsAbs(dir) {
		dir = "./" + filepath.ToSlash(filepath.Clean(dir))
	}
	cmd := exec.Command("go", append(args, dir)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOFLAGS=") })
	out, err := cmd.CombinedOutput()
	return string(out), err
}
