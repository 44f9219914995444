package report

import (
	"fmt"
	"strings"

	"fsa/internal/decimal"
)

// Near are the sets of as many variables as a model has whose training loss is nearly as low as the lowest one found.
type Near struct {
	Margin   float64   `json:"margin"`   // largest growth of the loss, as a share
	Found    int       `json:"found"`    // with the set of the model
	Complete bool      `json:"complete"` // all swaps were tried
	Sets     []NearSet `json:"sets"`
}

// NearSet is such a set, compared with that of the model.
type NearSet struct {
	Growth  float64  `json:"growth"` // of the loss, as a share
	Without []string `json:"without"`
	Instead []string `json:"instead"`
}

// nearRow is a line of the table of these sets.
type nearRow struct{ Growth, Without, Instead string }

// shownNear is the number of sets on the page; the CSV has all that were recorded.
const shownNear = 10

// text describes the sets in a sentence.
func (n *Near) text() string {
	margin := brief(100*n.Margin) + "%"
	if n.Found == 1 && n.Complete {
		return fmt.Sprintf("No other set of as many variables has a training loss within %s of the lowest.", margin)
	}
	found := decimal.Count(n.Found)
	if !n.Complete {
		found = "At least " + found
	}
	text := fmt.Sprintf("%s sets of as many variables have a training loss within %s of the lowest. The data alone hardly tell them apart.", found, margin)
	if shown := len(n.rows()); shown > 0 && shown < n.Found-1 {
		text += fmt.Sprintf(" The table has the best %d.", shown)
	}
	return text
}

// others returns the sets without that of the model.
func (n *Near) others() (list []NearSet) {
	for _, s := range n.Sets {
		if len(s.Without) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// rows returns the table on the page.
func (n *Near) rows() (rows []nearRow) {
	others := n.others()
	for _, s := range others[:min(len(others), shownNear)] {
		rows = append(rows, nearRow{"+" + brief(100*s.Growth) + "%", isolated(s.Without), isolated(s.Instead)})
	}
	return rows
}

// table returns the sets for a CSV file.
func (n *Near) table() [][]string {
	table := [][]string{{"growth", "without", "instead"}}
	for _, s := range n.others() {
		table = append(table, []string{exact(s.Growth), strings.Join(s.Without, ", "), strings.Join(s.Instead, ", ")})
	}
	return table
}
