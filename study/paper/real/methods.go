package real

// The methods that [Record] may name besides peers and variants.
const (
	Ours   = "fsa"
	before = "fsa before"
)

// PeerNames lists the methods that fsa is compared with, as scripts/peers/predict.py
// calls them.
func PeerNames() []string {
	return []string{"abess", "abess+refit", "l1", "l1+refit", "enet+refit", "rfe+refit", "univariate+refit", "mrmr+refit", "lightgbm"}
}

// fits reports whether a peer is for a task.
func fits(peer, task string) bool { return (peer == "lightgbm") == (task == ranking) }
