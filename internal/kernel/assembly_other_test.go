//go:build (!amd64 && !arm64) || noasm

package kernel

var inAssembly []implementation

// eachOnThisMachine calls f once with each instruction set of this machine in use.
func eachOnThisMachine(f func(name string)) { f("Go") }
