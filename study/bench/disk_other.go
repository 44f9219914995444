//go:build !linux

package bench

func forget(string) {}
