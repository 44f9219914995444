package kernel

// The smallest number of cells that the assembly processes.
const (
	columnStep    = 8 // also the number of lanes in which it looks for the largest
	momentsStep   = 8
	toFloat32Step = 8
)
