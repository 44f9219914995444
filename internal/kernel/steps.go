package kernel

// How many cells the assembly takes at least.
const (
	columnStep    = 8 // and in so many lanes it looks for the largest
	momentsStep   = 8
	toFloat32Step = 8
)
