package paper

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"

	"fsa/data"
	"fsa/data/open"
)

// Gisette is a data set of the feature selection challenge of 2003 made of the handwritten digits 4
// and 9. It is not available here, but the digits are, and its makers described how they made it:
// pixels, products of random pairs of pixels from a region somewhat above the middle, as many
// probes, which are other columns with their values in random order, 1000 levels of grey, and all
// columns and rows shuffled. What is made here in this way stands in for it: same size, same kind,
// other random draws.
const (
	gisetteSeed  = 2003
	gisetteTrain = 6000
	gisetteValid = 1000
	gisetteTest  = 6500
	gisetteReal  = 2500 // columns that are not probes
	gisetteCols  = 2 * gisetteReal

	side = 28 // pixels of an image in each direction
	// Pixels that are hardly ever inked are left out.
	leastInk = 0.01
	// Pairs are drawn around this position with this spread, in pixels: a 4 and a 9 differ in their
	// upper part.
	pairRow, pairColumn, pairSpread = 11.5, 13.5, 5
	levels                          = 999
)

// digits are images, row after row, and their classes.
type digits struct {
	pixels []uint8
	label  []float64
}

// readDigits reads the images of both files of a folder.
func readDigits(ctx context.Context, folder string) (*digits, error) {
	d := &digits{}
	for _, part := range []string{"train", "test"} {
		path := filepath.Join(folder, part+"_X.npy")
		r, err := open.Reader(ctx, path, open.Options{})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		if w := r.Schema().Width; w != side*side {
			return nil, &data.Error{File: path, Msg: fmt.Sprintf("%d columns: images of %d×%d pixels are expected", w, side, side)}
		}
		for b, err := range data.Blocks(ctx, r) {
			if err != nil {
				return nil, err
			}
			for _, v := range b.Dense {
				if !(v >= 0 && v <= math.MaxUint8) {
					return nil, &data.Error{File: path, Msg: fmt.Sprintf("a pixel of %v: it must be from 0 to 255", v)}
				}
				d.pixels = append(d.pixels, uint8(v))
			}
		}
		y, err := open.Vector(ctx, filepath.Join(folder, part+"_y.npy"))
		if err != nil {
			return nil, err
		}
		d.label = append(d.label, y.Values...)
	}
	if n := len(d.pixels) / (side * side); n != len(d.label) || n < gisetteTrain+gisetteValid+gisetteTest {
		return nil, &data.Error{File: folder, Msg: fmt.Sprintf("%d images and %d labels: their numbers must be equal, and at least %d", n, len(d.label), gisetteTrain+gisetteValid+gisetteTest)}
	}
	return d, nil
}

// inked returns the pixels that are inked in more than a few of the images.
func (d *digits) inked() []int {
	var count [side * side]int
	for i, v := range d.pixels {
		if v > 0 {
			count[i%len(count)]++
		}
	}
	var out []int
	for p, n := range count {
		if float64(n) > leastInk*float64(len(d.label)) {
			out = append(out, p)
		}
	}
	return out
}

// standIn is a table like Gisette, or some of its rows. Columns are made one at a time and stored
// as columns.
type standIn struct {
	columns [gisetteCols][]uint16
	label   []float64
}

var _ source = (*standIn)(nil)

// makeStandIn makes the table from the digits. It has a random stream of its own, so the table is
// the same everywhere.
func makeStandIn(d *digits) (train, valid, test *standIn) {
	rng := rand.New(rand.NewPCG(gisetteSeed, 0))
	images := rng.Perm(len(d.label))[:gisetteTrain+gisetteValid+gisetteTest]
	place := rng.Perm(gisetteCols)
	rows := len(images)
	all := &standIn{}
	for _, i := range images {
		all.label = append(all.label, d.label[i])
	}
	for c, pair := range d.columns(rng) {
		column, probe := make([]uint16, rows), make([]uint16, rows)
		shuffled := rng.Perm(rows)
		for row, i := range images {
			column[row] = pair.value(d.pixels[i*side*side:])
			probe[shuffled[row]] = column[row]
		}
		all.columns[place[c]], all.columns[place[gisetteReal+c]] = column, probe
	}
	const first, second = gisetteTrain, gisetteTrain + gisetteValid
	return all.rows(0, first), all.rows(first, second), all.rows(second, rows)
}

// rows returns a range of rows.
func (s *standIn) rows(from, to int) *standIn {
	part := &standIn{label: s.label[from:to]}
	for c := range s.columns {
		part.columns[c] = s.columns[c][from:to]
	}
	return part
}

// pair is a column: a product of two pixels, or one pixel.
type pair struct{ a, b int } // b is −1 for a single pixel

// columns draws the columns that are not probes: all inked pixels, then different pairs of them.
func (d *digits) columns(rng *rand.Rand) []pair {
	var out []pair
	inked := map[int]bool{}
	for _, p := range d.inked() {
		inked[p] = true
		out = append(out, pair{p, -1})
	}
	draw := func() int {
		for {
			r := int(math.Round(pairRow + float64(pairSpread*rng.NormFloat64())))
			c := int(math.Round(pairColumn + float64(pairSpread*rng.NormFloat64())))
			if p := r*side + c; r >= 0 && r < side && c >= 0 && c < side && inked[p] {
				return p
			}
		}
	}
	seen := map[pair]bool{}
	for len(out) < gisetteReal {
		a, b := draw(), draw()
		p := pair{min(a, b), max(a, b)}
		if a != b && !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// value returns the column of an image, quantised.
func (p pair) value(image []uint8) uint16 {
	v := float64(image[p.a]) / math.MaxUint8
	if p.b >= 0 {
		v *= float64(image[p.b]) / math.MaxUint8
	}
	return uint16(math.Round(v * levels))
}

func (s *standIn) reader() data.Reader {
	return &standInReader{standIn: s, schema: data.Schema{Width: gisetteCols}}
}

// standInReader returns the rows as the numbers that training needs, some at a time: all of them
// take four times the memory.
type standInReader struct {
	*standIn
	schema data.Schema
	at     int
}

var _ data.Reader = (*standInReader)(nil)

// Schema implements [data.Reader].
func (r *standInReader) Schema() *data.Schema { return &r.schema }

// Next implements [data.Reader].
func (r *standInReader) Next(ctx context.Context) (*data.Block, error) {
	const most = 100
	rows := min(most, len(r.label)-r.at)
	if rows == 0 {
		return nil, io.EOF
	}
	b := &data.Block{Rows: rows, Dense: make([]float64, rows*gisetteCols), Label: r.label[r.at : r.at+rows]}
	for c, column := range r.columns {
		for i, v := range column[r.at : r.at+rows] {
			b.Dense[i*gisetteCols+c] = float64(v)
		}
	}
	r.at += rows
	return b, ctx.Err()
}

// Close implements [data.Reader].
func (r *standInReader) Close() error { return nil }
