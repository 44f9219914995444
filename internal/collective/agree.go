package collective

import (
	"encoding/json"
	"fmt"
)

// Failure is what a process has failed with; without a text it has not. Kind is what the
// caller tells failures apart by.
type Failure struct{ Who, Kind, Text string }

// Agree returns the first failure of all processes, which all of them call it with: if one
// fails, all do. Its text begins with who it was, unless all have failed with the same one.
func Agree(c Comm, mine Failure) (Failure, error) {
	said, err := json.Marshal(mine)
	if err != nil {
		return Failure{}, err
	}
	all, err := GatherAll(c, said)
	if err != nil {
		return Failure{}, err
	}
	var first Failure
	same := 0
	for rank, one := range all {
		var f Failure
		if err := json.Unmarshal(one, &f); err != nil {
			return Failure{}, fmt.Errorf("collective: rank %d says what cannot be understood: %w", rank, err)
		}
		if first.Text == "" {
			first = f
		}
		if f.Text != "" && f.Text == first.Text {
			same++
		}
	}
	if first.Text != "" && same < len(all) {
		first.Text = first.Who + ": " + first.Text
	}
	return first, nil
}
