package model

// checkQuantiles returns an error unless some quantiles are several, ascending, and between 0 and 1.
func checkQuantiles(list []float64) error {
	switch {
	case len(list) < 2:
		return optionError("%d quantiles: give at least two, or one alone", len(list))
	case len(list) > MaxQuantiles:
		return optionError("%d quantiles: at most %d are possible", len(list), MaxQuantiles)
	case !(list[0] > 0 && list[len(list)-1] < 1):
		return optionError("the quantiles %v: they must be above 0 and below 1", list)
	case !ascend(list):
		return optionError("the quantiles %v: they must be different, the smallest first", list)
	}
	return nil
}

// MaxQuantiles is the largest number of quantiles of a model.
const MaxQuantiles = 100
