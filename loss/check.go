package loss

// What responses of some losses must satisfy: each returns what is wrong with a response and the cure, or
// nothing.

func count(y float64) string {
	if y < 0 {
		return "counts must not be negative: correct them, or use --loss squared for numbers of both signs"
	}
	return ""
}

func amount(y float64) string {
	switch {
	case y < 0:
		return "amounts must not be negative: correct them, or use --loss squared for numbers of both signs"
	case y == 0:
		return "the gamma loss is for positive amounts: use --loss tweedie if some amounts are zero"
	}
	return ""
}

func amountOrZero(y float64) string {
	if y < 0 {
		return "amounts must not be negative: correct them, or use --loss squared for numbers of both signs"
	}
	return ""
}

func duration(y float64) string {
	if !(y > 0) {
		return "survival times must be above 0: correct them, or leave the rows out"
	}
	return ""
}
