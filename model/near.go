package model

import "errors"

// NearSets are the sets of as many variables as a model has whose training loss is nearly as low as the lowest one found.
type NearSets struct {
	// Margin is the largest growth of the training loss, as a share of the lowest one.
	Margin float64 `json:"margin"`
	// Found is the number of such sets, with that of the model. Complete is false if the search ended before it had tried
	// all swaps, so that there may be more.
	Found    int  `json:"found"`
	Complete bool `json:"complete"`
	// Sets are the best of them.
	Sets []NearSet `json:"sets"`
}

// NearSet is a set of variables, compared with those of the model.
type NearSet struct {
	// Growth is the growth of the training loss from the lowest one, as a share.
	Growth float64 `json:"growth"`
	// Without and Instead are the variables of the model that the set lacks, and those that it has in their place. A group
	// has the name of its first variable.
	Without []string `json:"without"`
	Instead []string `json:"instead"`
}

func (n *NearSets) check() error {
	if n == nil {
		return nil
	}
	bad := !(n.Margin >= 0 && finite(n.Margin)) || n.Found < len(n.Sets)
	for _, s := range n.Sets {
		bad = bad || !(s.Growth >= 0 && finite(s.Growth)) || len(s.Without) != len(s.Instead)
	}
	if bad {
		return errors.New("the record of sets that are nearly as good is invalid")
	}
	return nil
}
