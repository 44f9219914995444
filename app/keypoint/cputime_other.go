//go:build !unix

package keypoint

// processorSeconds returns 0: the system does not tell.
func processorSeconds() float64 { return 0 }
