package live

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A board can be restored from its snapshot; invalid snapshots are refused, and one that is too
// large is cut.
func TestSnapshot(t *testing.T) {
	a, b := NewBoard(time.Hour), NewBoard(time.Hour)
	a.Remember(Point{Epoch: 2, Variables: 8, Loss: 1})
	a.Show(Now{Stage: "<b>", Epoch: 3, Epochs: 9, Variables: 7})
	a.Say("a line")
	a.BeginCurve("auc", true)
	a.Fill(CurvePoint{Size: 5, Folds: 1, Of: 10, Mean: 0.5})
	text, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	m, err := ReadSnapshot(text)
	if err != nil {
		t.Fatal(err)
	}
	b.Set(m)
	if again, err := b.Snapshot(); err != nil || string(again) != string(text) {
		t.Errorf("%v: %s instead of %s", err, again, text)
	}
	later, err := b.state.message(false, -1)
	if err != nil || !strings.Contains(string(later), `"history":[{"epoch":2`) {
		t.Errorf("a page is not told of the epochs between two boards: %s", later)
	}
	for _, bad := range []string{"", "null x", `{"now":7}`, `{"history":{}}`, `{"curve":[]}`} {
		if _, err := ReadSnapshot([]byte(bad)); err == nil {
			t.Errorf("%q was taken for a board", bad)
		}
	}
	large := fmt.Sprintf(`{"now":{"ended":true},"log":[%s{}],"history":[%s{}],"curve":{"points":[%s{}]}}`, strings.Repeat("{},", 5000), strings.Repeat("{},", 5000), strings.Repeat("{},", 5000))
	if m, err = ReadSnapshot([]byte(large)); err != nil || len(m.Log) > lines || len(m.History) > points || len(m.Curve.Points) > points || m.Now.Ended {
		t.Errorf("%v: %d lines, %d points, a curve of %d", err, len(m.Log), len(m.History), len(m.Curve.Points))
	}
}
