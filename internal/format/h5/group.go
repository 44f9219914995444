package h5

import (
	"maps"
	"slices"
	"strings"
)

const (
	mostMembers = 1 << 20 // of a group
	mostName    = 1 << 16 // bytes of a name
)

// Find returns the object at a path such as obs/age, or nil if there is none.
func (f *File) Find(path string) (*Object, error) {
	o, err := f.object(f.root)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(path, "/") {
		members, err := o.members()
		if err != nil {
			return nil, err
		}
		at, known := members[name]
		if !known {
			return nil, nil
		}
		if o, err = f.object(at); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Names lists the members of a group in alphabetical order.
func (o *Object) Names() ([]string, error) {
	members, err := o.members()
	return slices.Sorted(maps.Keys(members)), err
}

// members returns the addresses of the members of a group; a dataset has none.
func (o *Object) members() (map[string]uint64, error) {
	if !o.group || o.links != nil || o.tree == 0 {
		return o.links, nil
	}
	heap, err := o.f.part(o.heap, 32)
	if err != nil {
		return nil, err
	}
	if !heap.starts("HEAP") {
		return nil, o.f.bad("the names of a group are damaged")
	}
	heap.u32()
	length := heap.u64()
	heap.u64()
	names, err := o.f.part(heap.u64(), int64(length))
	if err != nil {
		return nil, err
	}
	o.links = map[string]uint64{}
	read := 0
	err = o.f.leaves(o.tree, 0, 8, func(_ []byte, at uint64) error {
		n, err := o.symbols(at, names.b)
		if read += n; read > mostMembers {
			return o.f.bad("a group has too many members")
		}
		return err
	})
	return o.links, err
}

// symbols reads a node with members of a group, and returns their number.
func (o *Object) symbols(at uint64, names []byte) (n int, err error) {
	c, err := o.f.part(at, 8)
	if err != nil {
		return 0, err
	}
	if !c.starts("SNOD") {
		return 0, o.f.bad("a group is damaged")
	}
	c.u16()
	n = int(c.u16())
	if c, err = o.f.part(at+8, 40*int64(n)); err != nil {
		return 0, err
	}
	for range n {
		name, address := c.u64(), c.u64()
		c.bytes(24)
		if name >= uint64(len(names)) {
			return 0, o.f.bad("a group is damaged")
		}
		text := cursor{b: names[name:]}
		o.links[text.text(min(len(text.b), mostName))] = address
	}
	return n, nil
}
