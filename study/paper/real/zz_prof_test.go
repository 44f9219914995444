package real

import (
	"context"
	"testing"
)

func TestZZ(t *testing.T) {
	for _, s := range Sets() {
		if s.Name != "body-numbers" {
			continue
		}
		train, test, err := s.tables(context.Background(), "", 5000)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := ParseVariant("b:Bins=10")
		a, err := fitOurs(context.Background(), v, train, test, 0)
		t.Log(a.Seconds, a.Selected, err)
	}
}
