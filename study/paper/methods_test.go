package paper

import "testing"

// Every column and line of the tables has a method.
func TestMethodsExist(t *testing.T) {
	var list []contender
	for _, c := range []comparison{classification, classificationNoisy, regression} {
		list = append(list, c.contenders...)
	}
	for _, c := range growthContenders {
		list = append(list, c.contender)
	}
	for _, d := range datasets() {
		for _, l := range d.lines {
			list = append(list, l.contender)
		}
	}
	for _, c := range list {
		if !c.exists() {
			t.Errorf("%s: there is no method %q", c.label, c.name)
		}
	}
}

func TestRunsOfSlowMethods(t *testing.T) {
	seeds := []uint64{1, 2, 3}
	if n := len(contender{most: 2}.runs(seeds)); n != 2 {
		t.Errorf("%d runs, want 2", n)
	}
	if n := len(contender{most: 5}.runs(seeds)) + len(contender{}.runs(seeds)); n != 6 {
		t.Errorf("%d runs, want 3 each", n)
	}
	notes := contenderNotes([]contender{{label: "A", name: ours, most: 2}, {label: "B", name: "none"}, {label: "C", name: ours}}, seeds)
	if len(notes) != 2 {
		t.Errorf("notes %q", notes)
	}
}
