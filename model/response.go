package model

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"

	"fsa/data"
	"fsa/loss"
)

// Task is what a model predicts.
type Task = loss.Task

// The tasks.
const (
	Regression     = loss.Regression
	Classification = loss.Classification
	Ranking        = loss.Ranking
	Survival       = loss.Survival
	Multilabel     = loss.Multilabel
)

// give sets a loss of the caller, which says what its predictions are.
func (r *Response) give(l loss.Loss) {
	r.given = l
	if r.Task == Regression {
		r.link = loss.LinkOf(l)
	}
}

// customLoss is the name of a loss given by the caller.
const customLoss = "custom"

// ResponseOptions say how a target is encoded.
type ResponseOptions struct {
	// Loss is the name of a loss. "auto" and "" choose it from the target: rank if there are
	// queries, logistic for two values or texts, multinomial for more texts, and squared otherwise.
	Loss string
	// Custom is a loss given by the caller. It gets the target unchanged.
	Custom loss.Loss
	// Number says that a target of two numbers is not one of two classes.
	Number bool
	// Huber is Params.Huber of [loss.Params].
	Huber float64
	// Quantile of the quantile loss; 0 means the median.
	Quantile float64
	// Quantiles are those of the quantile loss, ascending, if there are several. Quantile is then 0.
	Quantiles []float64
	// Ties says how the cox loss treats ties, one of [Ties]; "" means efron.
	Ties string
	// ClassWeights multiplies the weights of the rows of each named class. Balanced gives every
	// class the same total weight.
	ClassWeights map[string]float64
	Balanced     bool
	// Positive names the positive class of two; empty means the last.
	Positive string
	// Order are the classes of the ordinal loss, from the lowest to the highest. Nil means the order of numbers.
	Order []string
	// Overwrite allows the target of the dataset to be modified.
	Overwrite bool
}

// Response is a target encoded for a loss.
type Response struct {
	Task Task
	Name string // name of the loss
	// Loss judges rows, each by itself if the loss allows that. Learned is the loss that is minimised; it is Loss,
	// except for losses of ordered classes.
	Loss, Learned loss.Loss
	Kind          loss.Kind // zero for a custom loss
	Classes       []string  // names, for a classification
	Swapped       bool      // the first of two classes in their order is the positive one
	// Targets are the targets if there are several.
	Targets []TargetColumn
	Target  *data.Target
	// Settings are the parameters of the loss that are saved with the model.
	Settings loss.Settings

	link      loss.Link // turns decision values into predictions
	given     loss.Loss // loss of the caller, without offsets; nil for others
	rowWeight []float64 // row weights without class weights
	offset    []float64 // as in the table; Target has it in the unit of the response
	unit      float64   // a regression learns the response in this unit,
	zero      float64   // minus this number of units; with a log link, it is the logarithm of the mean
	several   *several  // several targets; nil for one
}

// NewResponse chooses the loss and encodes the target for it.
func NewResponse(d *data.Dataset, o ResponseOptions) (*Response, error) {
	t := d.Target
	if t == nil || t.Y == nil {
		return nil, &data.Error{File: d.Name, Msg: "there is no target: name its column, or give a file with one value per row"}
	}
	if err := t.Check(d.Rows()); err != nil {
		return nil, err
	}
	if len(t.Y) < 2 {
		return nil, &data.Error{File: d.Name, Msg: "the table has only one row: at least two are needed"}
	}
	r := &Response{Name: o.Loss, Target: t, Loss: o.Custom, rowWeight: t.Weight, offset: t.Offset, unit: 1}
	if t.Each != nil {
		return r, r.setTargets(d, &o)
	}
	if o.Custom != nil {
		r.Name, r.Task = customLoss, Regression
		if t.Query != nil {
			r.Task = Ranking
		}
		if t.Offset != nil {
			r.Loss = loss.WithOffset(r.Loss)
		}
		r.Learned = r.Loss
		r.give(o.Custom)
		return r, nil
	}
	values := distinct(t)
	if len(values) == 1 {
		return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the target is %s in all rows: it must have at least two values or classes", className(t, values[0]))}
	}
	if r.Name == "" || r.Name == "auto" {
		if r.Name = autoLoss(t, len(values), o.Number); o.Order != nil {
			r.Name = "ordinal"
		}
	}
	r.Kind, _ = loss.Named(r.Name)
	r.link = r.Kind.Link
	if r.Kind.Several {
		return nil, optionError("the %s loss is for several targets, and there is one: name them with --target a,b, or give another loss", r.Name)
	}
	r.Task = r.Kind.Task
	if r.Task != Classification && (o.Balanced || o.ClassWeights != nil) {
		return nil, optionError("class weights are for classification, and this is a %s", r.Task)
	}
	if r.Task != Classification && o.Positive != "" {
		return nil, optionError("a positive class is for classification, and this is a %s", r.Task)
	}
	if !r.Kind.Ordered && o.Order != nil {
		return nil, optionError("an order of classes is for the ordinal loss, and this is the %s loss: give --loss ordinal", r.Name)
	}
	if err := r.checkSettings(loss.Settings{Quantile: o.Quantile, Quantiles: o.Quantiles, Ties: tiesSetting(o.Ties)}); err != nil {
		return nil, err
	}
	p := loss.Params{Huber: o.Huber, Settings: loss.Settings{Quantile: o.Quantile, Quantiles: o.Quantiles, Ties: tiesSetting(o.Ties)}}
	switch {
	case r.Task == Classification:
		if err := r.encode(d, values, &o); err != nil {
			return nil, err
		}
	case t.Categories != nil:
		return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the target is text (%q, …), which needs a classification loss, not the %s loss", t.Categories[0], r.Name)}
	case r.Task == Survival:
		if err := r.check(d); err != nil {
			return nil, err
		}
		if err := r.setSurvival(d, &p); err != nil {
			return nil, err
		}
	case r.Task == Ranking:
		if err := r.queries(d); err != nil {
			return nil, err
		}
	default:
		if err := r.check(d); err != nil {
			return nil, err
		}
		if r.Kind.Link == loss.Exp {
			if err := r.setLog(d, &p); err != nil {
				return nil, err
			}
		}
		if r.Kind.Link != loss.Identity {
			break
		}
		r.limitUnit()
		var middle float64
		middle, p.Spread = spread(r.Target)
		r.centerResponse(middle, p.Spread)
	}
	if p.Classes = len(r.Classes); r.Name == "quantile" && p.Quantile == 0 && p.Quantiles == nil {
		p.Quantile = MedianQuantile
	}
	r.Settings = p.Settings
	if r.Loss = r.Kind.New(p); r.Target.Offset != nil {
		r.Loss = loss.WithOffset(r.Loss)
	}
	if r.Learned = r.Loss; r.Kind.Ordered {
		r.Loss = loss.Multinomial{Classes: p.Classes}
	}
	return r, nil
}

// autoLoss chooses a loss from the target.
func autoLoss(t *data.Target, values int, number bool) string {
	switch {
	case t.Query != nil || t.Pairs != nil:
		return "rank"
	case t.Event != nil:
		return "cox"
	case t.Trials != nil:
		return "binomial"
	case values == 2 && !(number && t.Categories == nil):
		return "logistic"
	case t.Categories != nil:
		return "multinomial"
	}
	return "squared"
}

// encode numbers the classes: −1 and +1, or 0 to C−1. Numbers are ordered by value, texts
// alphabetically; the last class is the positive one.
func (r *Response) encode(d *data.Dataset, values []float64, o *ResponseOptions) error {
	t := *r.Target
	names := make(map[float64]string, len(values))
	for _, v := range values {
		names[v] = className(&t, v)
	}
	if t.Categories != nil {
		sort.Slice(values, func(a, b int) bool { return names[values[a]] < names[values[b]] })
	}
	if r.Kind.Ordered {
		var err error
		if values, err = inOrder(o.Order, d, &t, values, names); err != nil {
			return err
		}
		t.Query = []int{0, len(t.Y)} // one block has all rows
	}
	binary := !r.Kind.Many
	if o.Positive != "" {
		at := slices.IndexFunc(values, func(v float64) bool { return names[v] == o.Positive })
		if at < 0 || len(values) != 2 {
			return optionError("%q cannot be the positive class: it must be one of two, and the target has %s", o.Positive, some(values, names))
		}
		values[at], values[1] = values[1], values[at]
		r.Swapped = at == 0
	}
	count := strconv.Itoa(len(values))
	if len(values) > maxClasses {
		count = "more than " + strconv.Itoa(maxClasses)
	}
	switch {
	case binary && len(values) > 2:
		return &data.Error{File: d.Name, Msg: fmt.Sprintf("the target has %s different values, but the %s loss is for two classes: use the multinomial loss for more, or the squared loss for numbers", count, r.Name)}
	case len(values) > maxClasses:
		return &data.Error{File: d.Name, Msg: fmt.Sprintf("the target has %s different values: at most %d classes are supported", count, maxClasses)}
	}
	code := make(map[float64]float64, len(values))
	for c, v := range values {
		r.Classes = append(r.Classes, names[v])
		code[v] = float64(c)
		if binary {
			code[v] = float64(2*c - 1)
		}
	}
	weight, err := r.classWeights(t.Y, t.Weight, names, o)
	if err != nil {
		return err
	}
	y := t.Y
	if !o.Overwrite {
		y = make([]float64, len(t.Y))
	}
	for i, v := range t.Y {
		y[i] = code[v]
	}
	t.Y, t.Weight, t.Categories = y, weight, nil
	r.Target = &t
	return nil
}

// classWeights multiplies the weights of the rows by those of their classes.
func (r *Response) classWeights(y, weight []float64, names map[float64]string, o *ResponseOptions) ([]float64, error) {
	if o.ClassWeights == nil && !o.Balanced {
		return weight, nil
	}
	for _, class := range slices.Sorted(maps.Keys(o.ClassWeights)) {
		if !slices.Contains(r.Classes, class) {
			return nil, optionError("there is no class %q: the target has the classes %q", class, r.Classes)
		}
	}
	of := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	total, perClass := 0.0, map[float64]float64{}
	for i, v := range y {
		total += of(i)
		perClass[v] += of(i)
	}
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = of(i)
		if w, ok := o.ClassWeights[names[v]]; ok {
			out[i] *= w
		}
		if o.Balanced && perClass[v] > 0 {
			out[i] *= total / (float64(len(names)) * perClass[v])
		}
	}
	return out, nil
}

// queries checks that some query can be ranked. A query with one row, or with rows of one
// relevance, cannot.
func (r *Response) queries(d *data.Dataset) error {
	t := *r.Target
	if t.Query == nil {
		t.Query = []int{0, len(t.Y)} // all rows are one query
	}
	pairs := len(t.Pairs)
	for q := range len(t.Query) - 1 {
		lo, hi := t.Query[q], t.Query[q+1]
		if hi > lo && slices.Min(t.Y[lo:hi]) < slices.Max(t.Y[lo:hi]) {
			pairs++
		}
	}
	if pairs == 0 {
		return &data.Error{File: d.Name, Msg: "all rows of each query have the same relevance: there is nothing to rank"}
	}
	r.Target = &t
	return nil
}
