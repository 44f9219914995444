package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"fsa/internal/need"
)

// Every command that the README shows in a block is run, in order.
func TestReadme(t *testing.T) {
	need.Long(t)
	text := string(read(t, "../../README.md"))
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	ran := 0
	for i, block := range strings.Split(text, "```") {
		lines, isShell := strings.CutPrefix(block, "sh\n")
		if i%2 == 0 || !isShell {
			continue
		}
		for line := range strings.Lines(lines) {
			words := strings.Fields(line)
			switch {
			case len(words) == 0:
			case strings.HasPrefix(line, "go run ./cmd/fsa "):
				must(t, words[3:]...)
				ran++
			case words[0] == "fsa":
				must(t, words[1:]...)
				ran++
			case strings.TrimSpace(line) == "go test ./...":
				// The running program is used.
			default:
				t.Errorf("a command that is not tested: %s", line)
			}
		}
	}
	if ran < 6 {
		t.Errorf("only %d commands found in %s/../../README.md", ran, home)
	}
}

// Every command of the tour is run, in order.
func TestTour(t *testing.T) {
	need.Long(t)
	text := string(read(t, "../../docs/tour.md"))
	t.Chdir(t.TempDir())
	ran := 0
	for line := range strings.Lines(text) {
		if call, found := strings.CutPrefix(line, "    fsa "); found {
			must(t, strings.Fields(call)...)
			ran++
		}
	}
	if ran < 10 {
		t.Errorf("only %d commands found in the tour", ran)
	}
}

// The commands of the README's table are run on small files of their kind.
func TestReadmeTable(t *testing.T) {
	need.Long(t)
	text := string(read(t, "../../README.md"))
	t.Chdir(t.TempDir())
	var rows, letor strings.Builder
	rows.WriteString("age,price,species,sick,colour,size,grade,visits,months,died\n")
	for i := range 60 {
		digit := func(k int) int { return (i*k + i/7) % 10 }
		fmt.Fprintf(&rows, "%d,%d,%s,%d,%s,%d,%s,%d,%d,%d\n", digit(3), digit(7), []string{"cat", "dog", "cow"}[i%3], i%2, []string{"red", "blue"}[i/5%2], digit(9),
			[]string{"low", "mid", "high"}[i/2%3], digit(2), 1+digit(11), i/3%2)
		fmt.Fprintf(&letor, "%d qid:%d", i%3, 1+i/10)
		for j := range 12 {
			fmt.Fprintf(&letor, " %d:%d", j+1, i*(j+3)%11+1)
		}
		letor.WriteString("\n")
	}
	write := func(name, content string) {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("table.csv", rows.String())
	write("letor.txt", letor.String())
	must(t, "generate", "ar1", "--n", "100", "--m", "200", "--out", "X.npy")
	must(t, "generate", "ar1", "--n", "100", "--m", "200", "--out", "train.svm")
	if err := os.Rename("X.y.npy", "y.npy"); err != nil {
		t.Fatal(err)
	}
	must(t, "fit", "table.csv", "--target", "price", "-k", "2", "--out", "run")
	ran := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[2], "`fsa ") {
			continue
		}
		words := strings.Fields(strings.Trim(strings.TrimSpace(cells[2]), "`"))
		for i, w := range words {
			if w == "-k" && words[2] == "table.csv" {
				words[i+1] = "2" // the table is small
			}
		}
		must(t, words[1:]...)
		ran++
	}
	if ran < 8 {
		t.Errorf("only %d commands found in the table", ran)
	}
}

// The commands on the other pages exist, and so do their flags. In blocks their arguments are
// right, too; in sentences they may be shortened.
func TestDocs(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("there are no pages %s: %v", pattern, err)
		}
		pages = append(pages, found...)
	}
	inSentence := regexp.MustCompile("`(fsa\\s[^`]+)`")
	found := 0
	for _, page := range pages {
		text := string(read(t, page))
		for _, m := range inSentence.FindAllStringSubmatch(text, -1) {
			checkCall(t, page, m[1]+" 1", false) // the value that its last flag may lack
		}
		fenced := false
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if !fenced && !strings.HasPrefix(line, "    ") {
				continue
			}
			for call := range strings.SplitSeq(line, "&&") {
				if strings.HasPrefix(strings.TrimSpace(call), "fsa ") {
					checkCall(t, page, call, true)
					found++
				}
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d commands found in blocks", found)
	}
}

// checkCall finds the command that a line calls, and its flags, without running it.
func checkCall(t *testing.T, page, line string, whole bool) {
	t.Helper()
	words := strings.Fields(line)[1:]
	if end := slices.IndexFunc(words, func(w string) bool { return strings.Contains("#>|", w[:1]) }); end >= 0 {
		words = words[:end]
	}
	root := newRoot(new(bool))
	strict(root)
	cmd, rest, err := root.Find(words)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && whole {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		t.Errorf("%s: %s: %v", page, strings.TrimSpace(line), err)
	}
}

// The tables of the page about the algorithm name every flag of fit that changes the model.
func TestSettingsAreDescribed(t *testing.T) {
	var tables strings.Builder
	for line := range strings.Lines(string(read(t, "../../docs/algorithm.md"))) {
		if strings.HasPrefix(line, "|") {
			tables.WriteString(line)
		}
	}
	fitCommand().Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains([]string{"threads", "out", "report", "live", "open", "no-rows", "json", "explain", "verbose", "plan", "resume", "checkpoint-every", helpAll}, f.Name) && !strings.Contains(tables.String(), "`"+flagName(f)+"`") {
			t.Errorf("%s is not there", flagName(f))
		}
	})
}
