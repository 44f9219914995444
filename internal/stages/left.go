package stages

import "math"

// pace is how fast a part of the work is done.
type pace struct {
	name            string
	begun, share    float64 // when it began, and the share of it that is done
	at              float64 // when the share has grown for the last time,
	by, took, rises float64 // by how much, after how many seconds, and how often before
}

// see records the share of a part that is done.
func (f *Fit) see(name string, share float64) {
	f.pacing.Lock()
	defer f.pacing.Unlock()
	p, now := &f.pace, f.clock()
	if name != p.name || share < p.share {
		if p.name == "recipes" {
			f.first = now - p.begun
		}
		*p = pace{name: name, begun: now, at: now}
	}
	if share > p.share {
		p.by, p.took, p.at, p.share = share-p.share, now-p.at, now, share
		p.rises++
	}
}

// The time left of interactions lies between the first two multiples of what the last fold says, that of later stages between the
// others. ofFinal times the last fold is the longest that a final fit takes which tries interactions on all rows, and ofRest
// times the recipes the longest that the rest of cross-validation takes (performance.md#progress).
var (
	ofPairs = [2]float64{0.8, 1.2}
	ofStage = [2]float64{0.75, 1.33}
)

const ofFinal, ofRest = 1.6, 3

// apart is the largest ratio of the most and the least time left that is told.
const apart = 3

// Left returns about the least and the most seconds until the end, or −1 if they are unknown or too far apart. What
// cross-validation does depends on what it finds, so its end is only known while interactions are tried, which take longer
// than everything else.
func (f *Fit) Left(now State) (least, most float64) {
	f.pacing.Lock()
	defer f.pacing.Unlock()
	p := &f.pace
	since, rest := f.clock()-p.at, (p.at-p.begun)*(1-p.share)/p.share
	switch {
	case now.Stage == Nested:
		if now.Done < 1/float64(max(f.work.Folds, 1)) { // before the first fold of it ends
			return -1, -1
		}
		rest, since = f.clock()*(1-now.Done)/now.Done, 0
		least, most = ofStage[0]*rest, ofStage[1]*rest
	case now.Stage == Folds:
		least, most = f.compared(now)
	case p.share > 0 && (now.Stage == HalfSamples || f.work.HalfSamples == 0):
		least, most = ofStage[0]*rest, ofStage[1]*rest
	default:
		return -1, -1
	}
	least, most = max(least-since, 0), max(most-since, 0)
	if !(most <= apart*least) {
		return -1, -1
	}
	return least, most
}

// compared returns about the least and the most seconds of what is left of cross-validation and the final fit.
func (f *Fit) compared(now State) (least, most float64) {
	p := &f.pace
	if p.name != "interactions" || p.rises < 2 || f.work.HalfSamples > 0 || f.work.Variants > 1 && now.Done < 0.5 {
		return 0, math.Inf(1)
	}
	rest := p.took * (1 - p.share) / p.by
	return ofPairs[0] * rest, ofPairs[1]*rest + ofFinal*p.took + ofRest*f.first
}
