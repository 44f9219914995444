package loss

// Checks of responses, used by some losses. Each returns what is wrong with a response and how to
// correct it, or "".

func count(y float64) string {
	if y < 0 {
		return "counts must not be negative: correct them, or use --loss squared if negative numbers are meant"
	}
	return ""
}

func amount(y float64) string {
	switch {
	case y < 0:
		return "amounts must not be negative: correct them, or use --loss squared if negative numbers are meant"
	case y == 0:
		return "the gamma loss needs positive amounts: use --loss tweedie if some amounts are zero"
	}
	return ""
}

func amountOrZero(y float64) string {
	if y < 0 {
		return "amounts must not be negative: correct them, or use --loss squared if negative numbers are meant"
	}
	return ""
}

func share(y float64) string {
	if !(y >= 0 && y <= 1) {
		return "the binomial loss is for shares between 0 and 1: correct them or, if they count successes, name the column of the numbers of trials with --trials"
	}
	return ""
}

func duration(y float64) string {
	if !(y > 0) {
		return "survival times must be above 0: correct them, or remove the rows"
	}
	return ""
}
