package real

// The methods that [Record] may name besides peers, references and variants.
const (
	Ours   = "fsa"
	before = "fsa before"
	few    = "fsa few"
)

// method is a method that fsa is compared with, with its name in scripts/peers.
type method struct {
	name string
	// all says that it is a reference: it uses all columns, including texts, and has no k.
	all bool
	// ranks says that it is only for rankings.
	ranks bool
}

var methods = []method{
	{name: "abess"},
	{name: "abess+refit"},
	{name: "l1"},
	{name: "l1+refit"},
	{name: "enet+refit"},
	{name: "rfe+refit"},
	{name: "univariate+refit"},
	{name: "mrmr+refit"},
	{name: "lightgbm", ranks: true},
	{name: "boosting", all: true},
	{name: "ebm", all: true},
}

// PeerNames lists the methods that fsa is compared with if k is given.
func PeerNames() []string { return namesOf(false) }

// ReferenceNames lists the methods that fsa is compared with if the size is open. They use all
// columns.
func ReferenceNames() []string { return namesOf(true) }

func namesOf(all bool) []string {
	var out []string
	for _, m := range methods {
		if m.all == all {
			out = append(out, m.name)
		}
	}
	return out
}

// fits reports whether a method can learn from a table.
func (m *method) fits(t *Table) bool {
	return m.ranks == (t.task() == ranking) && (m.all || !t.hasTexts())
}
