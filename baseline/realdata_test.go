package baseline

import (
	"path/filepath"
	"testing"

	"fsa/data/open"
	"fsa/internal/need"
)

// On dexter (300 articles, 20000 words) the methods that use all words are at
// most as far off as what is known of linear classifiers there: about 6 to 10
// percent on the published validation rows. Of those that choose, boosting and
// thresholding have to stay below twice that.
func TestDexter(t *testing.T) {
	need.Long(t)
	dir := need.Data(t, "dexter")
	learn, valid := filepath.Join(dir, "dexter_train.data.gz"), filepath.Join(dir, "dexter_valid.data.gz")
	d, err := open.Table(t.Context(), learn, open.Options{}, open.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := open.Table(t.Context(), valid, open.Options{}, open.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    Fitter
		most float64
	}{
		{"cw", CW{}, 0.1},
		{"sgd", SGD{}, 0.1},
		{"logitboost", LogitBoost{Options: Options{K: 93}}, 0.15},
		{"qtp", QTP{Options: Options{K: 93}}, 0.15},
		{"rfe", RFE{Options: Options{K: 93}}, 0.2},
		{"mrmr", MRMR{Options{K: 93}}, 0.2},
		{"parallel-fs", ParallelFS{Options{K: 93}}, 0.2},
	} {
		m := mustFit(t, c.f, d)
		r, err := open.Reader(t.Context(), valid, open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(t.Context(), r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		metrics, err := p.Metrics(other.Target)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: error %.4f with %d words", c.name, metrics["error"], len(m.Selected()))
		if metrics["error"] > c.most {
			t.Errorf("%s: an error of %.4f, want at most %v", c.name, metrics["error"], c.most)
		}
	}
}
