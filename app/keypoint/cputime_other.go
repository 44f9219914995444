//go:build !unix

package keypoint

// processorSeconds returns 0: the system does not report it.
func processorSeconds() float64 { return 0 }
