package eval

import "math"

// RMSE returns the root of the mean squared difference between predictions and y. It is NaN if the
// total weight is 0.
func RMSE(predicted, y, w []float64) float64 {
	check("RMSE", len(predicted), len(y), w)
	var sum, total float64
	for i := range y {
		d := predicted[i] - y[i]
		total += weights(w).at(i)
		sum += weights(w).at(i) * d * d
	}
	return math.Sqrt(sum / total)
}

// MAE returns the mean absolute difference between predictions and y. It is NaN if the total weight
// is 0.
func MAE(predicted, y, w []float64) float64 {
	check("MAE", len(predicted), len(y), w)
	var sum, total float64
	for i := range y {
		total += weights(w).at(i)
		sum += weights(w).at(i) * math.Abs(predicted[i]-y[i])
	}
	return sum / total
}

// R2 returns the share of the variance of y that the predictions explain: 1 for perfect
// predictions, 0 for predictions as good as the mean of y, and less than 0 for worse ones. It is
// NaN if y does not vary.
func R2(predicted, y, w []float64) float64 {
	check("R2", len(predicted), len(y), w)
	mean := average(y, w)
	var left, all float64
	for i := range y {
		d, v := predicted[i]-y[i], y[i]-mean
		left += weights(w).at(i) * d * d
		all += weights(w).at(i) * v * v
	}
	if all == 0 {
		return math.NaN()
	}
	return 1 - left/all
}

// average returns the weighted mean of y. It adds differences to the first y with a weight, so that
// the mean of a constant is exactly that constant.
func average(y []float64, w weights) float64 {
	var origin, sum, total float64
	for i := range y {
		if total == 0 {
			origin = y[i]
		}
		total += w.at(i)
		sum += w.at(i) * (y[i] - origin)
	}
	return origin + sum/total
}

// Pinball returns the mean pinball loss of predictions of a quantile: q times the distance if y is
// above the prediction, and 1−q times the distance if it is below. It is NaN if the total weight is
// 0.
func Pinball(predicted, y, w []float64, q float64) float64 {
	check("Pinball", len(predicted), len(y), w)
	var sum, total float64
	for i := range y {
		u := y[i] - predicted[i]
		total += weights(w).at(i)
		sum += weights(w).at(i) * max(q*u, (q-1)*u)
	}
	return sum / total
}

// Below returns the share of y at or below the predictions. It is NaN if the total weight is 0.
func Below(predicted, y, w []float64) float64 {
	check("Below", len(predicted), len(y), w)
	var sum, total float64
	for i := range y {
		total += weights(w).at(i)
		if y[i] <= predicted[i] {
			sum += weights(w).at(i)
		}
	}
	return sum / total
}
