package search

// Spending says what variables cost, and what a selection may cost. The sizes of a path are then positions in a list of
// budgets, from 1.
type Spending struct {
	// Item is the item that a column of the table needs, by its index: a measurement, or a panel of several. Prices are
	// those of the items. An item is paid once, whatever the number of its columns.
	Item   map[int]int
	Prices []float64
	// Budgets are what the selections of each size may cost, ascending.
	Budgets []float64
	// Most is the largest number of groups.
	Most int
}

// Affordable reports whether a sum of prices is within a budget, but for rounding errors.
func Affordable(sum, budget float64) bool { return sum <= budget*(1+1e-9) }

// Buys returns how many of the first of some prices are affordable with a budget of which a sum is spent.
func Buys(prices []float64, sum, budget float64) int {
	for n, price := range prices {
		if sum += price; !Affordable(sum, budget) {
			return n
		}
	}
	return len(prices)
}
