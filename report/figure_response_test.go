package report

import "testing"

// The axis of an effect says in which unit the effect is.
func TestAdds(t *testing.T) {
	for want, m := range map[string]Model{
		"adds to price":                 {Task: Regression, Target: "price"},
		"adds to the prediction":        {Task: Regression},
		"adds to the logarithm of n":    {Task: Regression, Target: "n", Link: "exp"},
		"adds to the log odds of share": {Task: Regression, Target: "share", Link: "logistic"},
		"adds to the score of yes":      {Task: Classification, Outputs: 1, Classes: []string{"no", "yes"}, Link: "logistic"},
		"adds to the log hazard":        {Task: Survival},
		"adds to the score":             {Task: Ranking},
	} {
		if got := adds(&m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
