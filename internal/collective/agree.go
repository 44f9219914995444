package collective

import (
	"encoding/json"
	"fmt"
)

// Failure is the failure of a process; without a text there is none. Kind is for the caller.
type Failure struct{ Who, Kind, Text string }

// Agree returns the first failure of all processes. All of them call it: if one fails, all do. The
// text begins with the rank that failed, unless all have failed with the same text.
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
			return Failure{}, fmt.Errorf("collective: a message of rank %d cannot be read: %w", rank, err)
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
