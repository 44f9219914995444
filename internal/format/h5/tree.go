package h5

const mostLevels = 32 // of a tree

// leaves calls a function for each key and child of the lowest level of a tree of the first version. A key has the
// given number of bytes.
func (f *File) leaves(root uint64, kind uint8, key int, each func(key []byte, child uint64) error) error {
	left := f.size // nodes do not overlap
	var visit func(at uint64, above int) error
	visit = func(at uint64, above int) error {
		c, err := f.part(at, 24)
		if err != nil {
			return err
		}
		if !c.starts("TREE") || c.u8() != kind {
			return f.bad("a tree of the file is damaged")
		}
		level, n := int(c.u8()), int(c.u16())
		if left -= 24 + int64(n)*int64(key+8); level >= above || left < 0 {
			return f.bad("a tree of the file is damaged")
		}
		if c, err = f.part(at+24, int64(n)*int64(key+8)); err != nil {
			return err
		}
		for range n {
			k, child := c.bytes(key), c.u64()
			if level > 0 {
				err = visit(child, level)
			} else {
				err = each(k, child)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return visit(root, mostLevels)
}
