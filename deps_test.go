package fsa_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// room is a line of the table of docs/architecture.md.
type room struct {
	uses []string // packages of ours that its packages use,
	any  bool     // or all of them
	seen map[string]bool
}

// readRooms returns the room of each package.
func readRooms(t *testing.T) map[string]*room {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string]*room{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			continue
		}
		r := &room{uses: names(cells[3]), any: strings.Contains(cells[3], "anything"), seen: map[string]bool{}}
		for _, pkg := range names(cells[1]) {
			rooms[pkg] = r
		}
	}
	return rooms
}

// names returns what stands between backticks.
func names(text string) []string {
	var list []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			list = append(list, part)
		}
	}
	return list
}

// TestRooms compares the table of docs/architecture.md with the packages: the loss
// does not see the data, the data not the loss, annealing neither.
func TestRooms(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := map[string][]string{} // of ours and others
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		imports[words[0]] = words[1:]
	}
	rooms := readRooms(t)
	for pkg, list := range imports {
		r := rooms[short(pkg)]
		if r == nil {
			t.Errorf("%s is not in the table", pkg)
			continue
		}
		for _, used := range list {
			if _, ours := imports[used]; !ours || r.any {
				continue
			}
			if r.seen[short(used)] = true; !slices.Contains(r.uses, short(used)) {
				t.Errorf("%s uses %s, which the table does not say", pkg, used)
			}
		}
	}
	for pkg, r := range rooms {
		if imports[pkg] == nil && imports["fsa/"+pkg] == nil {
			t.Errorf("there is no package %s", pkg)
		}
		for _, used := range r.uses {
			if !r.seen[used] {
				t.Errorf("the table says that %s uses %s, which it does not", pkg, used)
			}
		}
	}
}

// short returns a package as the table calls it.
func short(pkg string) string { return strings.TrimPrefix(pkg, "fsa/") }
