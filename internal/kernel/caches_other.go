//go:build !amd64

package kernel

func processorCaches() Caches { return Caches{} }
