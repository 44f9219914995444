package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fsa"
	"fsa/data"
	"fsa/internal/decimal"
	"fsa/model"
)

// variants holds losses and numbers of bins. If there are several, cross-validation chooses among
// them.
type variants struct {
	losses []string
	bins   []int
}

// newVariants parses the lists of losses and of numbers of bins.
func newVariants(losses, bins string) (v variants, err error) {
	v.losses = strings.Split(losses, ",")
	for _, name := range v.losses {
		if meant := meantBy(name, model.LossNames(), otherLosses); meant != "" {
			return v, usagef("--loss %s: did you mean --loss %s?", name, meant)
		}
	}
	for _, part := range strings.Split(bins, ",") {
		n, err := strconv.Atoi(part)
		switch {
		case part == "auto":
			n = fsa.Auto
		case err != nil || n < 0:
			return v, usagef("--bins %s: it must be a number, auto, or numbers to choose from such as 0,5,20", bins)
		case n == 0:
			n = fsa.None
		}
		v.bins = append(v.bins, n)
	}
	return v, nil
}

// several reports whether there is a choice.
func (v variants) several() bool { return len(v.losses)*len(v.bins) > 1 }

// curved reports whether a variant has curves.
func (v variants) curved() bool { return slices.Max(v.bins) > 0 }

// of returns the options of each variant.
func (v variants) of(o fsa.Options) (list []fsa.Options) {
	for _, loss := range v.losses {
		for _, bins := range v.bins {
			to := o
			to.Loss, to.Bins = loss, bins
			if bins <= 0 && v.curved() { // flags for curves apply only to variants with curves
				to.Design.Spacing, to.Objective.CurvePriors = data.SpacingAuto, nil
			}
			list = append(list, to)
		}
	}
	return list
}

// validate returns an error if some of them are invalid.
func (v variants) validate(o fsa.Options) error {
	for _, to := range v.of(o) {
		if err := to.Validate(); err != nil {
			return err
		}
	}
	if v.several() && o.Quick {
		return usagef("--quick does not cross-validate: give one loss and one number of bins")
	}
	if v.several() && o.Selection.FDR > 0 {
		return usagef("--fdr does not cross-validate: give one loss and one number of bins")
	}
	return nil
}

// noteContest notes which variant was chosen among which variants.
func noteContest(p *progress, c *fsa.Contest, among []fsa.Options) {
	var list []string
	for i, o := range among {
		list = append(list, variantName(o)+" "+decimal.Digits(c.Means[i], 4))
	}
	p.note("%s was chosen by the cross-validated %s: %s", variantName(among[c.Winner]), measureName(c.Measure), strings.Join(list, ", "))
}

// variantName describes options by the settings in which variants differ.
func variantName(o fsa.Options) string {
	bins := "auto"
	if o.Bins != fsa.Auto {
		bins = strconv.Itoa(max(o.Bins, 0))
	}
	return fmt.Sprintf("--loss %s --bins %s", o.Loss, bins)
}
