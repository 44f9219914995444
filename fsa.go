// Package fsa selects the k variables of a table that matter and learns a
// model on them: Feature Selection with Annealing (Barbu, She, Ding and
// Gramajo). It starts with all variables and alternates one step of gradient
// descent with dropping the weakest ones; the problem shrinks while it is
// solved, so the whole table is read only a few times.
//
//	table, err := open.Table(ctx, "train.csv", open.Options{}, open.Roles{Target: "y"})
//	model, err := fsa.Fit(ctx, table, fsa.Options{K: 10})
//	for _, v := range model.Selected() {
//		fmt.Println(v.Name, v.Coefficients)
//	}
//
// The program is cut at the margin z = Xβ. Package loss sees margins and
// targets, package data multiplies, package anneal is the algorithm and sees
// neither; this package joins them.
package fsa
