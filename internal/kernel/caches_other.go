//go:build !amd64 || noasm

package kernel

func processorCaches() Caches { return Caches{} }
