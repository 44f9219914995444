package loss

// A loss of your own may have one or more of the methods below. They say what its predictions are; training
// does not use them.

// Linked is a loss whose margins are logarithms, with the link [Exp], or log odds, with [LogisticLink]. Model files keep
// the name of the link, so that all programs predict with it.
type Linked interface {
	Link() Link
}

// Inverter is a loss with a link of its own.
type Inverter interface {
	// Inverse replaces the margins of a row by its predictions. Model files say that the loss has such a link, but
	// do not have it.
	Inverse(z []float64)
}

// Measured is a loss with measures of its own. They are computed wherever others are, beside the usual ones.
type Measured interface {
	Measures() []Measure
}

// Measure measures predictions.
type Measure struct {
	// Name is how the measure is called: letters, digits and spaces, and not the name of another measure.
	Name string
	// Of compares predictions, row after row, with the targets and the weights of the rows; nil weights are all 1. A result
	// that is not finite means that the measure is not defined. If sizes are compared by the measure, smaller values are better.
	Of func(predicted, y, weight []float64) float64
}

// LinkOf returns the link of a loss: that of [Linked], [Own] for an [Inverter], or [Identity].
func LinkOf(l Loss) Link {
	if of, ok := l.(Linked); ok {
		return of.Link()
	}
	if _, ok := l.(Inverter); ok {
		return Own
	}
	return Identity
}
