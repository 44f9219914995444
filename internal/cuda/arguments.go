package cuda

// Arguments of the kernels: the structs of kernels/common.h and kernels/vector.cu, field by field.
// Fields of 8 bytes come first, so that both languages lay them out alike.

type passArgs struct {
	X, Order, Y, W, B, Constant, G, Slope, Loss, Z, R, Pace pointer
	First, Rows, Every, Stride, Width                       int64
	Huber, Bend                                             float64
	Kind, Outputs, Constants, Slice, Stages                 int32
	More, Slabs, Values, Strips                             int32
	Knots, Bins, Digits                                     int32
}

type updateArgs struct {
	Beta, Velocity, Trail, Grad, Scale, Offset, Column pointer
	B, Constant, G, Slope, Stats                       pointer
	Stride                                             int64
	Rate, Momentum, Ridge                              float64
	Groups, Outputs, Free, Parts, Slopes, Flags        int32
}

// Flags of an update.
const (
	updateGradient = 1 << iota
	updateStep
	updateTrail
	updateSave
)

type keepArgs struct {
	Beta, Velocity, Scale, Offset, Rank, Column, List       pointer
	ToBeta, ToVelocity, ToScale, ToOffset, ToRank, ToColumn pointer
	Groups, Kept, Outputs, Free                             int32
}

type selectArgs struct {
	Beta, Rank, Strength, List    pointer
	First                         pointer // nil if every group has one column
	Groups, Kept, Outputs, Unused int32
}

type compactArgs struct {
	X, To, Order, Column          pointer
	First, Rows, Stride, ToStride int64
	Columns, Size                 int32
}

type reorderArgs struct {
	From, To, Order pointer
	Rows            int64
}

type powerArgs struct {
	V, HV, Sums pointer
	Factor      float64
	Count       int64
}

// Kinds of loss.
const (
	kindSquared = iota
	kindLogistic
	kindSVM
	kindLorenz
	kindMultinomial
	kindBend
	kindHuber
)

// sparseArgs is the argument of the kernels of sparse tables.
type sparseArgs struct {
	P                                            passArgs
	Start, Index, Value, From, Column, Row, Cell pointer
	Segment, Segments                            int64
}

// all returns the memory of the table.
func (a *sparseArgs) all() []pointer {
	return []pointer{a.Start, a.Index, a.Value, a.From, a.Column, a.Row, a.Cell}
}
