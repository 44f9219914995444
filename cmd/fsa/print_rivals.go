package main

import (
	"fmt"
	"io"
	"strings"

	"fsa/internal/decimal"
	"fsa/model"
)

// printRivals prints what the model loses without each variable and with others in its place, if that was measured.
func printRivals(w io.Writer, ties []model.Tie, most int) error {
	if len(ties) == 0 || ties[0].Without == nil {
		return nil
	}
	fmt.Fprintln(w, "\nincrease of the out-of-fold error without a variable, or with another instead:")
	rows := [][]string{{"variable", "without", "verdict", "instead"}}
	var names []string
	for i := range ties[:min(len(ties), most)] {
		names = append(names, ties[i].Name)
	}
	for i, name := range readable(names, 2*shownLetters/3) {
		t := &ties[i]
		var instead []string
		for _, r := range t.Rivals {
			instead = append(instead, fmt.Sprintf("%s %s", shorten(r.Name, 12), increase(r.Instead.Mean)))
		}
		verdict := t.Verdict()
		if equals := t.Equals(); verdict == model.Interchangeable {
			verdict += " with " + shorten(equals[0], 12)
			if n := len(equals) - 1; n > 0 {
				verdict += fmt.Sprintf(" or %d more", n)
			}
		}
		rows = append(rows, []string{name, increase(t.Without.Mean), verdict, strings.Join(instead, ", ")})
	}
	if err := hanging(w, rows); err != nil {
		return err
	}
	if n := len(ties) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more (--verbose prints them)\n", n)
	}
	return nil
}

func increase(v float64) string {
	if v < 0 {
		return decimal.Digits(v, 2)
	}
	return "+" + decimal.Digits(v, 2)
}

// shownSets is the number of sets that are printed, besides that of the model.
const shownSets = 5

// printNear prints the sets of variables that are nearly as good as those of the model.
func printNear(w io.Writer, n *model.NearSets) error {
	if n == nil {
		return nil
	}
	least := ""
	if !n.Complete {
		least = "at least "
	}
	margin := decimal.Digits(100*n.Margin, 3)
	if n.Found == 1 && n.Complete {
		_, err := fmt.Fprintf(w, "\nno other set of as many variables has a training loss within %s%% of the lowest\n", margin)
		return err
	}
	fmt.Fprintf(w, "\n%s%d sets of as many variables have a training loss within %s%% of the lowest\n", least, n.Found, margin)
	shown := 0
	for _, s := range n.Sets {
		if len(s.Without) == 0 || shown == shownSets {
			continue
		}
		shown++
		short := func(names []string) string { return strings.Join(readable(names, shownLetters/2), ", ") }
		fmt.Fprintf(w, "    +%s%%: %s instead of %s\n", decimal.Digits(100*s.Growth, 2), short(s.Instead), short(s.Without))
	}
	return nil
}
