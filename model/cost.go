package model

import "fmt"

// Cost is the price of a column. Columns of the same panel come together once it is paid: all of them have its price.
type Cost struct {
	// Column is the name of the column, or [AllColumns] for every column that no other cost names.
	Column string  `json:"column"`
	Price  float64 `json:"price"`
	Panel  string  `json:"panel,omitempty"`
}

// Costs is what the selected columns cost.
type Costs struct {
	// Budget is what they may cost, and Spent what they cost.
	Budget float64 `json:"budget"`
	Spent  float64 `json:"spent"`
	// Paid lists the columns and panels that are paid, in the order of the table.
	Paid []Paid `json:"paid"`
}

// Paid is a column or a panel that is paid.
type Paid struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
	// Panel says that this is a panel.
	Panel bool `json:"panel,omitempty"`
}

// check returns an error if the record of the costs in a file is damaged.
func (c *Costs) check() error {
	if c == nil {
		return nil
	}
	sum := 0.0
	for _, p := range c.Paid {
		if !finite(p.Price) || p.Price < 0 {
			return fmt.Errorf("the price of %q is %v", p.Name, p.Price)
		}
		sum += p.Price
	}
	const rounding = 1e-6
	if !finite(c.Budget, c.Spent) || c.Budget < 0 || sum-c.Spent > rounding*c.Budget || c.Spent-c.Budget > rounding*c.Budget {
		return fmt.Errorf("its costs are %v of %v", c.Spent, c.Budget)
	}
	return nil
}
