//go:build !unix

package keypoint

// processorSeconds returns 0, because the system does not report it.
func processorSeconds() float64 { return 0 }
