package baseline

import (
	"context"

	"fsa/data"
	"fsa/eval"
	"fsa/internal/matrix"
	"fsa/model"
)

// L2SVM is a linear support vector machine on all variables. It minimises the mean hinge loss
// plus ½α‖β‖². It does not select variables: K is ignored. α is chosen from the paper's grid
// by the AUC on a held-out fifth of the rows. Weak penalties take longest and are tried last,
// until one has a lower AUC than the one before. Iterations limits the number of passes over
// the rows for each α; 0 means 1000.
type L2SVM struct{ Options }

var _ Fitter = L2SVM{}

// svmGrid are the penalties of the paper, the strongest first.
func svmGrid() []float64 { return []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5} }

// Fit implements [Fitter].
func (o L2SVM) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	if o.LossName == "" || o.LossName == "auto" {
		o.LossName = "svm"
	}
	o.K = d.Width()
	t, err := newTask(ctx, "l2-svm", d, o.Options, "svm")
	if err != nil {
		return nil, err
	}
	rows, err := rowsOfDesign(ctx, t.design)
	if err != nil {
		return nil, err
	}
	train, held := t.holdOut()
	grid := svmGrid()
	var wrong []float64
	err = t.weighing(train).machines(ctx, rows, grid, func(intercept float64, beta []float64) bool {
		wrong = append(wrong, -eval.AUC(t.decisions(rows, intercept, beta), t.Y, held))
		last := len(wrong) - 1
		return last == 0 || !(wrong[last] > wrong[last-1])
	})
	if err != nil {
		return nil, err
	}
	best := grid[:leastOf(wrong)+1]
	var intercept float64
	var beta []float64
	err = t.machines(ctx, rows, best, func(b float64, w []float64) bool {
		intercept, beta = b, w
		return true
	})
	if err != nil {
		return nil, err
	}
	usable := make([]float64, len(t.design.Usable))
	for k, v := range t.design.Usable {
		usable[k] = beta[v]
	}
	return t.linear(len(wrong)+len(best), intercept, t.design.Usable, usable)
}

// machines trains a machine for each penalty, as long as found returns true. The strongest penalty
// is first, and each machine starts from the previous solution.
func (t *task) machines(ctx context.Context, rows *matrix.Vectors, penalties []float64, found func(intercept float64, beta []float64) bool) error {
	total := 0.0
	for i := range t.Y {
		total += t.weight(i)
	}
	alpha := make([]float64, len(t.Y))
	for _, penalty := range penalties {
		// The tolerance is that of liblinear.
		machine := linearSVM{C: 1 / (penalty * total), Tolerance: 0.1, Epochs: t.Iterations, Seed: t.Seed}
		beta, intercept, err := machine.fit(ctx, rows, t.Y, t.Weight, alpha)
		if err != nil || !found(intercept, beta) {
			return err
		}
	}
	return nil
}

// decisions returns the decision value of every row.
func (t *task) decisions(rows *matrix.Vectors, intercept float64, beta []float64) []float64 {
	z := make([]float64, rows.Count)
	for i := range z {
		z[i] = intercept + rows.Dot(i, beta)
	}
	return z
}
