package describe

// mix is the finalizer of SplitMix64.
func mix(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
