package loss_test

import (
	"testing"

	"fsa/loss"
)

type linked struct {
	Expectile
	link loss.Link
}

func (l linked) Link() loss.Link { return l.link }

type inverted struct{ Expectile }

func (inverted) Inverse(z []float64) { z[0] *= z[0] }

func TestLinkOf(t *testing.T) {
	for l, want := range map[loss.Loss]loss.Link{Expectile{}: loss.Identity, linked{link: loss.Exp}: loss.Exp, inverted{}: loss.Own, loss.Poisson{}: loss.Identity} {
		if got := loss.LinkOf(l); got != want {
			t.Errorf("%T: link %q, want %q", l, got, want)
		}
	}
}
