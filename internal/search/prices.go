package search

import (
	"math"
	"slices"

	"fsa/data"
)

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

// setPrices sets the prices of the groups, and leaves out the groups that no budget allows.
func (s *Sample) setPrices(d *data.Dataset) {
	s.prices = nil
	if s.Spending == nil {
		return
	}
	prices := make([]float64, s.Groups.Count())
	for g := range prices {
		items := map[int]bool{}
		for _, v := range s.Groups.Of(g) {
			if item := s.Spending.Item[d.Columns[s.Design.Variables[v]].Index]; !items[item] {
				items[item] = true
				prices[g] += s.Spending.Prices[item]
			}
		}
	}
	s.prices = prices
	room := math.Inf(1)
	if n := len(s.Spending.Budgets); n > 0 {
		room = s.Spending.Budgets[n-1] - s.Price(s.Force)
	}
	var stay, force []int
	for g, price := range prices {
		forced := slices.Contains(s.Force, g)
		if forced {
			force = append(force, len(stay))
		}
		if forced || Affordable(price, room) {
			stay = append(stay, g)
		}
	}
	if len(stay) == len(prices) {
		return
	}
	s.Groups, s.Force, s.prices = s.Groups.Pick(stay), force, make([]float64, len(stay))
	for i, g := range stay {
		s.prices[i] = prices[g]
	}
}

// Price returns what some groups cost; 0 if variables have no prices.
func (s *Sample) Price(groups []int) (sum float64) {
	if s.prices != nil {
		for _, g := range groups {
			sum += s.prices[g]
		}
	}
	return sum
}

// Unforced returns the prices of the groups that need not be selected, ascending.
func (s *Sample) Unforced() (prices []float64) {
	for g, price := range s.prices {
		if !slices.Contains(s.Force, g) {
			prices = append(prices, price)
		}
	}
	slices.Sort(prices)
	return prices
}

// freePrice is the price at which a free group competes, as a share of the lowest price of others: it is dropped last.
const freePrice = 1e-6

// strengthWeight returns the factor by which the norm of group j is multiplied when groups are dropped. With prices, the
// weakest per price are dropped: a group lowers the loss by about the square of its norm.
func (s *Sample) strengthWeight() func(j int) float64 {
	lowest := math.Inf(1)
	for _, price := range s.prices {
		if price > 0 {
			lowest = min(lowest, price)
		}
	}
	if math.IsInf(lowest, 1) {
		return s.groupWeight
	}
	return func(j int) float64 { return s.groupWeight(j) / math.Sqrt(max(s.prices[j], freePrice*lowest)) }
}

// counts returns bounds on the numbers of groups that the budgets of the sizes from low to high allow: any least
// groups are affordable with the smallest of them. No more than half of most are affordable with the largest: the others fill gaps.
func (s *Sample) counts(low, high int) (least, most int) {
	if high == 0 {
		return 0, 0
	}
	others, forced := s.Unforced(), s.Price(s.Force)
	most = min(len(s.Force)+Buys(others, forced, s.Spending.Budgets[high-1]), max(s.Spending.Most, len(s.Force)))
	slices.Reverse(others)
	least = len(s.Force) + Buys(others, forced, s.Spending.Budgets[low-1])
	most = max(most, 1)
	most = min(2*most, s.Capacity())
	return max(min(least, most), 1), most
}
