package cuda

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"fsa/internal/matrix"
	"fsa/loss"
)

// fake is a device whose kernels are written in Go as plainly as possible: the counterpart of each
// kernel of the folder kernels. Its memory is that of the test.
type fake struct {
	Info
	memory   map[pointer][]uint64 // which keeps it alive
	total    int64
	launches map[string]int
	fail     string // kernel that fails
	sending  [2][]upload
	sends    int
	borrowed int // pieces of memory of other processes that are open
}

// upload was sent but is done as late as is allowed: before the next kernel.
type upload struct{ dst, src []byte }

func newFake(major int) *fake {
	return &fake{
		Info:   Info{Name: "fake", Major: major, Memory: 1 << 30, Multiprocessors: 4, Cache: 3 << 10},
		memory: map[pointer][]uint64{}, total: 1 << 30, launches: map[string]int{},
	}
}

func (f *fake) info() Info           { return f.Info }
func (f *fake) free() (int64, error) { return f.total, nil }
func (f *fake) wait() error          { return nil }
func (f *fake) close()               {}
func (f *fake) release(p pointer)    { delete(f.memory, p) }

func (f *fake) together(do func() error) error { return do() }

func (f *fake) alloc(bytes int64) (pointer, error) {
	room := make([]uint64, bytes/8+2) // 16 bytes more than needed, because quads are read whole
	for i := range room {
		room[i] = 0x7ff8dead7fc0dead // memory that was not written reads as NaN
	}
	p := pointer(uintptr(unsafe.Pointer(&room[0])))
	f.memory[p] = room
	return p, nil
}

// at returns numbers on the device.
func at[T any](p pointer, n int64) []T {
	if p == 0 || n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}

func (f *fake) upload(dst pointer, src []byte) error {
	copy(at[byte](dst, int64(len(src))), src)
	return nil
}

func (f *fake) download(dst []byte, src pointer) error {
	copy(dst, at[byte](src, int64(len(dst))))
	return nil
}

func (f *fake) pin(bytes int64) ([]byte, error) { return make([]byte, bytes), nil }
func (f *fake) unpin([]byte)                    {}
func (f *fake) spent(int) error                 { return nil }

func (f *fake) send(slot int, dst pointer, src []byte) error {
	f.sends++
	f.sending[slot] = append(f.sending[slot], upload{at[byte](dst, int64(len(src))), src})
	return nil
}

func (f *fake) sent(slot int) error {
	for _, u := range f.sending[slot] {
		copy(u.dst, u.src)
	}
	f.sending[slot] = nil
	return nil
}

func (f *fake) fetch(slot int, dst []byte, src pointer) error {
	f.sending[slot] = append(f.sending[slot], upload{dst, at[byte](src, int64(len(dst)))})
	return nil
}

// borrow opens memory whose handle begins with its address.
func (f *fake) borrow(handle *[64]byte) (pointer, error) {
	p := *(*pointer)(unsafe.Pointer(handle))
	if p == 0 {
		return 0, ErrForeign
	}
	f.borrowed++
	return p, nil
}

func (f *fake) giveBack(pointer) { f.borrowed-- }

func (f *fake) moveRows(dst pointer, dstStride int64, src pointer, srcStride, rows int64) error {
	for i := range rows {
		n := min(dstStride, srcStride)
		copy(at[byte](dst+pointer(i*dstStride), n), at[byte](src+pointer(i*srcStride), n))
	}
	return nil
}

func (f *fake) zero(dst pointer, bytes int64) error {
	clear(at[byte](dst, bytes))
	return nil
}

func (f *fake) move(dst, src pointer, bytes int64) error {
	copy(at[byte](dst, bytes), at[byte](src, bytes))
	return nil
}

func (f *fake) elapsed(do func() error) (float64, error) { return 1, do() }

func (f *fake) clusters(string, string, shape) (int, error) { return 2, nil }

func (f *fake) launch(module, kernel string, s shape, args any) error {
	f.launches[kernel]++
	for slot := range f.sending {
		_ = f.sent(slot)
	}
	if kernel == f.fail {
		return &driverError{"cuLaunchKernelEx", 700, "CUDA_ERROR_ILLEGAL_ADDRESS"}
	}
	switch a := args.(type) {
	case *passArgs:
		cell := cellsOf[module]
		if cell == nil && module != "bins" && module != "sparse" {
			return fmt.Errorf("no module %s", module)
		}
		twinPass(kernel, s, *a, cell)
	case *sparseArgs:
		twinSparse(kernel, *a)
	case *shortArgs:
		twinShort(s, *a, cellsOf[module])
	case *updateArgs:
		twinUpdate(s, *a)
	case *selectArgs:
		twinSelect(kernel, *a)
	case *keepArgs:
		twinKeep(*a)
	case *compactArgs:
		twinCompact(*a)
	case *reorderArgs:
		to, from := at[float64](a.To, a.Rows), at[float64](a.From, a.Rows)
		for i, row := range at[int32](a.Order, a.Rows) {
			to[i] = from[row]
		}
	case *generateArgs:
		twinGenerate(*a)
	case *powerArgs:
		twinPower(kernel, s, *a)
	case *learnArgs:
		twinLearn(kernel, s, *a)
	default:
		return fmt.Errorf("no kernel %s", kernel)
	}
	return nil
}

// cellsOf returns a function that reads a cell as a number, by module.
var cellsOf = map[string]func(x pointer, i int64) float32{
	"float32": func(x pointer, i int64) float32 { return at[float32](x+pointer(4*i), 1)[0] },
	"bfloat16": func(x pointer, i int64) float32 {
		return math.Float32frombits(uint32(at[uint16](x+pointer(2*i), 1)[0]) << 16)
	},
	"int8": func(x pointer, i int64) float32 { return float32(at[int8](x+pointer(i), 1)[0]) },
}

// lossOf returns the loss of a kind.
func lossOf(a *passArgs) loss.Loss {
	switch a.Kind {
	case kindSquared:
		return loss.Squared{}
	case kindLogistic:
		return loss.Logistic{}
	case kindSVM:
		return loss.SVM{H: a.Huber}
	case kindLorenz:
		return loss.Lorenz{}
	case kindHuber:
		return loss.Huber{Delta: a.Huber}
	}
	return loss.Multinomial{Classes: int(a.Outputs)}
}

func (a *passArgs) row(i int64) int64 {
	i = a.First + i*a.Every
	if a.Order != 0 {
		return int64(at[int32](a.Order, i+1)[i])
	}
	return i
}

// derive returns the derivative of the loss of a row by its margins, and the loss.
func (a *passArgs) derive(row int64, z []float64) ([]float64, float64) {
	r := make([]float64, len(z))
	w := 1.0
	if a.W != 0 {
		w = at[float64](a.W, row+1)[row]
	}
	if a.Kind == kindBend {
		for c := range r {
			r[c] = a.Bend * w * z[c]
		}
		return r, 0
	}
	sum, _ := lossOf(a).Eval(r, z, loss.Target{Y: at[float64](a.Y, row+1)[row:], Weight: []float64{w}})
	return r, sum
}

// knots calls f for the coefficients that the codes of a row stand for.
func (a *passArgs) knots(row, lo, hi int64, f func(at int64, x float32)) {
	for v := lo; v < hi; v++ {
		code := at[uint16](a.X+pointer(2*(row*a.Stride+v)), 1)[0]
		first := v * int64(a.Knots)
		if code == math.MaxUint16 {
			f(first+int64(a.Bins)+1, 1)
			continue
		}
		bin := int64(code >> a.Digits)
		alpha := float32(code&(1<<a.Digits-1)) / float32(int(1)<<a.Digits)
		f(first+bin, 1-alpha)
		if alpha > 0 {
			f(first+bin+1, alpha)
		}
	}
}

// twinPass does what every kernel of narrow.cu, staged.cu, wide.cu, split.cu and bins.cu does; the
// module of the last has no cells.
func twinPass(kernel string, s shape, a passArgs, cell func(pointer, int64) float32) {
	outputs := int64(a.Outputs)
	constant := make([]float64, outputs)
	for i, v := range at[float64](a.Constant, int64(a.Constants)*outputs) {
		constant[int64(i)%outputs] += v
	}
	unit := int64(4) // the columns of a strip are a multiple of it
	if cell == nil {
		unit = 2
	}
	product := func(row, c, lo, hi int64) (z float32) {
		b := at[float32](a.B, outputs*a.Width)[c*a.Width:]
		if cell == nil {
			a.knots(row, lo, hi, func(at int64, x float32) { z += x * b[at] })
			return z
		}
		for j := lo; j < hi; j++ {
			z += cell(a.X, row*a.Stride+j) * b[j]
		}
		return z
	}
	add := func(part, c, row int64, r float32) {
		g := at[float32](a.G, (part*outputs+c+1)*a.Width)[(part*outputs+c)*a.Width:]
		if cell == nil {
			a.knots(row, 0, a.Stride, func(at int64, x float32) { g[at] += r * x })
			return
		}
		for j := range a.Stride {
			g[j] += r * cell(a.X, row*a.Stride+j)
		}
	}
	switch kernel {
	case "margins":
		units, strips := a.Stride/unit, int64(a.Strips)
		for i := range a.Rows {
			for c := range outputs {
				for k := range strips {
					at[float32](a.Z, strips*outputs*a.Rows)[(k*outputs+c)*a.Rows+i] = product(a.row(i), c, unit*(units*k/strips), unit*(units*(k+1)/strips))
				}
			}
		}
	case "derivatives":
		z, r := at[float32](a.Z, int64(a.Strips)*outputs*a.Rows), at[float32](a.R, outputs*a.Rows)
		blocks := (a.Rows + 255) / 256
		slope, losses := at[float64](a.Slope, blocks*outputs), at[float64](a.Loss, blocks)
		if a.More == 0 {
			clear(slope)
		}
		for i := range a.Rows {
			zi := make([]float64, outputs)
			for c := range outputs {
				zi[c] = constant[c]
				for k := range int64(a.Strips) {
					zi[c] += float64(z[(k*outputs+c)*a.Rows+i])
				}
			}
			ri, sum := a.derive(a.row(i), zi)
			losses[i/256] += sum
			for c, v := range ri {
				r[int64(c)*a.Rows+i] = float32(v)
				slope[i/256*outputs+int64(c)] += v
			}
		}
	case "products":
		if a.More == 0 {
			clear(at[float32](a.G, int64(a.Slabs)*outputs*a.Width))
		}
		for slab := range int64(a.Slabs) {
			for i := a.Rows * slab / int64(a.Slabs); i < a.Rows*(slab+1)/int64(a.Slabs); i++ {
				for c := range outputs {
					add(slab, c, a.row(i), at[float32](a.R, outputs*a.Rows)[c*a.Rows+i])
				}
			}
		}
	default:
		parts := int64(s.grid[0])
		if s.cluster > 0 {
			parts /= int64(s.cluster)
		}
		slope, losses := at[float64](a.Slope, parts), at[float64](a.Loss, parts)
		if a.More == 0 {
			clear(slope)
			clear(at[float32](a.G, parts*a.Stride))
		}
		for i := range a.Rows {
			row, part := a.row(i), i%parts
			r, sum := a.derive(row, []float64{constant[0] + float64(product(row, 0, 0, a.Stride))})
			losses[part] += sum
			slope[part] += r[0]
			add(part, 0, row, float32(r[0]))
		}
	}
}

func twinUpdate(s shape, u updateArgs) {
	groups, outputs := int64(u.Groups), int64(u.Outputs)
	count := groups * outputs
	beta := at[float64](u.Beta, count+int64(u.Free))
	constant := at[float64](u.Constant, int64(s.grid[0])*outputs)
	clear(constant)
	slope := make([]float64, outputs)
	if u.Flags&updateGradient != 0 {
		for i, v := range at[float64](u.Slope, int64(u.Slopes)*outputs) {
			slope[int64(i)%outputs] += v
		}
	}
	stats := at[float64](u.Stats, 3)
	move := func(i int64, grad float64) {
		if u.Flags&updateSave != 0 {
			at[float64](u.Grad, i+1)[i] = grad
		}
		if u.Flags&updateStep == 0 {
			return
		}
		m := u.Rate * grad
		if u.Velocity != 0 {
			v := &at[float64](u.Velocity, i+1)[i]
			*v = u.Momentum**v + m
			m += u.Momentum * *v
		}
		beta[i] -= m
		stats[1] = math.Max(stats[1], math.Abs(m))
		if u.Flags&updateTrail != 0 {
			at[float64](u.Trail, i+1)[i] += beta[i]
		}
	}
	stats[2] = 0
	for j := range groups {
		column := int64(at[int32](u.Column, groups)[j])
		scale := at[float64](u.Scale, groups)[j]
		for c := range outputs {
			i, grad := j*outputs+c, 0.0
			if u.Flags&updateGradient != 0 {
				for p := range int64(u.Parts) {
					grad += float64(at[float32](u.G, (p*outputs+c+1)*u.Stride)[(p*outputs+c)*u.Stride+column])
				}
				grad *= scale
				if u.Offset != 0 {
					grad += at[float64](u.Offset, groups)[j] * slope[c]
				}
				grad += u.Ridge * beta[i]
			}
			stats[0] += beta[i] * beta[i] * u.Ridge / 2
			move(i, grad)
			stats[2] = max(stats[2], math.Abs(beta[i]))
			at[float32](u.B, outputs*u.Stride)[c*u.Stride+column] = float32(scale * beta[i])
			if u.Offset != 0 {
				constant[c] += at[float64](u.Offset, groups)[j] * beta[i]
			}
		}
	}
	for c := range int64(u.Free) {
		move(count+c, slope[c])
		constant[c] += beta[count+c]
	}
}

func twinSelect(kernel string, s selectArgs) {
	n := int64(s.Groups)
	strength, rank := at[float64](s.Strength, n), at[float64](s.Rank, n)
	if kernel == "strengths" {
		for j := range n {
			lo, hi := j, j+1
			if s.First != 0 {
				lo, hi = int64(at[int32](s.First, n+1)[j]), int64(at[int32](s.First, n+1)[j+1])
			}
			length, count := 0.0, (hi-lo)*int64(s.Outputs)
			for _, b := range at[float64](s.Beta, hi*int64(s.Outputs))[lo*int64(s.Outputs):] {
				length += b * b
			}
			length = math.Sqrt(length) / math.Sqrt(math.Sqrt(float64(max(count, 1))))
			if strength[j] = min(length*rank[j], math.MaxFloat64); rank[j] < 0 {
				strength[j] = math.Inf(1)
			}
		}
		return
	}
	order := make([]int, n)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case strength[a] > strength[b]:
			return -1
		case strength[a] < strength[b]:
			return 1
		}
		return 0
	})
	order = order[:s.Kept]
	slices.Sort(order)
	for i, j := range order {
		at[int32](s.List, int64(s.Kept))[i] = int32(j)
	}
}

func twinKeep(k keepArgs) {
	outputs, kept := int64(k.Outputs), int64(k.Kept)
	all := int64(k.Groups)*outputs + int64(k.Free)
	list := at[int32](k.List, kept)
	for _, v := range [][2]pointer{{k.Beta, k.ToBeta}, {k.Velocity, k.ToVelocity}} {
		from, to := at[float64](v[0], all), at[float64](v[1], kept*outputs+int64(k.Free))
		for i, j := range list {
			copy(to[int64(i)*outputs:], from[int64(j)*outputs:(int64(j)+1)*outputs])
		}
		copy(to[kept*outputs:], from[int64(k.Groups)*outputs:])
	}
	for i, j := range list {
		at[float64](k.ToScale, kept)[i] = at[float64](k.Scale, int64(k.Groups))[j]
		if k.Rank != 0 {
			at[float64](k.ToRank, kept)[i] = at[float64](k.Rank, int64(k.Groups))[j]
		}
		at[int32](k.ToColumn, kept)[i] = at[int32](k.Column, int64(k.Groups))[j]
		if k.Offset != 0 {
			at[float64](k.ToOffset, kept)[i] = at[float64](k.Offset, int64(k.Groups))[j]
		}
	}
}

func twinCompact(c compactArgs) {
	size := int64(c.Size)
	for r := range c.Rows {
		row := c.First + r
		if c.Order != 0 {
			row = int64(at[int32](c.Order, row+1)[row])
		}
		to := at[byte](c.To+pointer(r*c.ToStride*size), c.ToStride*size)
		clear(to)
		for i, column := range at[int32](c.Column, int64(c.Columns)) {
			copy(to[int64(i)*size:(int64(i)+1)*size], at[byte](c.X+pointer((row*c.Stride+int64(column))*size), size))
		}
	}
}

func twinPower(kernel string, s shape, p powerArgs) {
	v, h := at[float64](p.V, p.Count), at[float64](p.HV, p.Count)
	if kernel == "turn" {
		for i := range v {
			v[i] = h[i] * p.Factor
		}
		return
	}
	sums := at[float64](p.Sums, 3*int64(s.grid[0]))
	clear(sums)
	for i := range v {
		sums[0] += v[i] * v[i]
		sums[1] += h[i] * h[i]
		sums[2] += v[i] * h[i]
	}
}

// formats are the formats of the tables of the tests, by module.
var formats = map[string]matrix.Format{"float32": matrix.Float32, "bfloat16": matrix.BFloat16, "int8": matrix.Int8}

func twinGenerate(g generateArgs) {
	s := Synthetic{Format: matrix.Format(g.Format), True: int(g.Count), Every: int(g.Every), Seed: g.Seed}
	size := sizeOf[s.Format]
	for i := range g.Rows {
		at[float64](g.Y, g.Rows)[i] = s.Label(g.First + i)
		for j := range g.Stride {
			v := 0.0
			if j < int64(g.Columns) {
				v = s.Cell(g.First+i, int(j))
			}
			to := g.X + pointer((i*g.Stride+j)*int64(size))
			switch s.Format {
			case matrix.Float32:
				at[float32](to, 1)[0] = float32(v)
			case matrix.BFloat16:
				at[uint16](to, 1)[0] = uint16(math.Float32bits(float32(v)) >> 16)
			default:
				at[int8](to, 1)[0] = int8(v)
			}
		}
	}
}

func twinShort(sh shape, s shortArgs, cell func(pointer, int64) float32) {
	said := at[float64](s.Told, int64(shortTold*sh.grid[0]))
	clear(said)
	n := int64(s.Batches)
	stats := make([]float64, 3)
	s.U.Stats = pointer(uintptr(unsafe.Pointer(&stats[0])))
	one := shape{grid: [3]int{1}}
	for t := range n {
		batch := (int64(s.Begin) + t) % n
		b := at[shortBatch](s.List, n)[batch]
		weight := b.Weight
		s.P.First, s.P.Rows = b.First, b.Rows
		at[float64](s.P.Loss, 1)[0] = 0
		twinPass("narrow", one, s.P, cell)
		said[0] += at[float64](s.P.Loss, 1)[0]
		if weight == 0 {
			continue
		}
		u := s.U
		u.Parts, u.Slopes, u.Rate, u.Ridge = 1, 1, s.Eta/weight, 2*s.Ridge*weight
		u.Flags |= updateGradient
		clear(at[float64](u.Constant, int64(s.P.Constants)))
		twinUpdate(one, u)
	}
	said[1], said[2], said[3] = stats[0], stats[1], stats[2]
}

func twinSparse(kernel string, s sparseArgs) {
	p := s.P
	outputs := int64(p.Outputs)
	b, g := at[float32](p.B, outputs*p.Width), at[float32](p.G, outputs*p.Width)
	for c := range outputs {
		if kernel == "margins" {
			for i := range p.Rows {
				start, z := at[int64](s.Start, p.First+i+2)[p.First+i:], float32(0)
				for k := start[0]; k < start[1]; k++ {
					z += at[float32](s.Value, k+1)[k] * b[c*p.Width+int64(at[int32](s.Index, k+1)[k])]
				}
				at[float32](p.Z, outputs*p.Rows)[c*p.Rows+i] = z
			}
			continue
		}
		for k := s.Segment; k < s.Segment+s.Segments; k++ {
			from, sum := at[int64](s.From, k+2)[k:], float32(0)
			for i := from[0]; i < from[1]; i++ {
				sum += at[float32](s.Cell, i+1)[i] * at[float32](p.R, outputs*p.Rows)[c*p.Rows+int64(at[int32](s.Row, i+1)[i])]
			}
			g[c*p.Width+int64(at[int32](s.Column, k+1)[k])] = sum
		}
	}
}
