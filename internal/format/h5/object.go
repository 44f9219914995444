package h5

// Types of messages of an object header.
const (
	messageSpace        = 0x1
	messageLinks        = 0x2
	messageType         = 0x3
	messageLink         = 0x6
	messageLayout       = 0x8
	messageFilters      = 0xb
	messageAttribute    = 0xc
	messageContinuation = 0x10
	messageSymbols      = 0x11
)

// mostHeader is the largest object header in bytes.
const mostHeader = 1 << 24

// Object is a group or a dataset.
type Object struct {
	f          *File
	attributes map[string]*attribute
	links      map[string]uint64 // of a group of the newer form, by name
	tree, heap uint64            // of a group of the older form
	group      bool
	seen       int // bytes of the header

	space   space
	kind    datatype
	layout  layout
	filters []filter
}

// object reads the header of the object at an address.
func (f *File) object(address uint64) (*Object, error) {
	o := &Object{f: f, attributes: map[string]*attribute{}}
	head, err := f.rest(address, 32)
	if err != nil {
		return nil, err
	}
	first, tracked := int64(0), false
	at := address
	second := false // the second version of headers
	if c := *head; c.starts("OHDR") {
		second = true
		c.u8()
		flags := c.u8()
		n := int64(6)
		if flags&0x20 != 0 {
			c.bytes(16)
			n += 16
		}
		if flags&0x10 != 0 {
			c.bytes(4)
			n += 4
		}
		tracked = flags&4 != 0
		width := 1 << (flags & 3)
		at += uint64(n) + uint64(width)
		if c, err := f.rest(at-uint64(width), 8); err == nil {
			first = int64(c.number(width))
		}
	} else if head.u8() == 1 {
		head.bytes(7)
		first = int64(head.u32())
		at += 16
	} else {
		return nil, f.bad("the header of an object is damaged")
	}
	part, err := f.part(at, first)
	if err != nil {
		return nil, err
	}
	for parts := []*cursor{part}; len(parts) > 0; parts = parts[1:] {
		more, err := o.messages(parts[0], second, tracked)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return o, nil
}

// messages reads the messages of a part of the header, and returns the parts that continue it.
func (o *Object) messages(c *cursor, second, tracked bool) (more []*cursor, err error) {
	least := 8
	if second {
		least = 4
	}
	for len(c.b) >= least {
		var kind, flags, n int
		if second {
			kind, n, flags = int(c.u8()), int(c.u16()), int(c.u8())
			if tracked {
				c.u16()
			}
		} else {
			kind, n, flags = int(c.u16()), int(c.u16()), int(c.u8())
			c.bytes(3)
		}
		m := cursor{b: c.bytes(n)}
		if c.short {
			break // the checksum of the second version
		}
		if kind == messageContinuation {
			part, err := o.f.part(m.u64(), int64(m.u64()))
			if err != nil {
				return nil, err
			}
			if second {
				if !part.starts("OCHK") {
					return nil, o.f.bad("the header of an object is damaged")
				}
			}
			if o.seen += len(part.b) + least; o.seen > mostHeader {
				return nil, o.f.bad("the header of an object is damaged")
			}
			more = append(more, part)
			continue
		}
		if err := o.message(kind, &m, flags&2 != 0); err != nil {
			return nil, err
		}
	}
	return more, nil
}

// message reads one message. A shared one is elsewhere.
func (o *Object) message(kind int, m *cursor, shared bool) (err error) {
	if shared {
		if kind == messageType || kind == messageSpace {
			return o.f.newer("a type is shared by several datasets")
		}
		return nil
	}
	switch kind {
	case messageSpace:
		o.space, err = o.f.space(m)
	case messageType:
		o.kind, err = o.f.datatype(m, 0)
	case messageLayout:
		o.layout, err = o.f.layout(m)
	case messageFilters:
		o.filters, err = o.f.pipeline(m)
	case messageAttribute:
		var name string
		var a *attribute
		if name, a, err = o.f.attribute(m); a != nil {
			o.attributes[name] = a
		}
		return err
	case messageSymbols:
		o.group, o.tree, o.heap = true, m.u64(), m.u64()
	case messageLinks:
		o.group = true
		m.u8()
		if m.u8()&1 != 0 {
			m.u64()
		}
		if m.u64() != none {
			return o.f.newer("a group is stored in the form of HDF5 1.8 and later")
		}
	case messageLink:
		return o.link(m)
	}
	if err == nil && m.short {
		return o.f.bad("the header of an object is damaged")
	}
	return err
}

// link reads a member of a group of the newer form. Links to elsewhere are left out.
func (o *Object) link(m *cursor) error {
	o.group = true
	m.u8()
	flags, how := m.u8(), uint8(0)
	if flags&8 != 0 {
		how = m.u8()
	}
	if flags&4 != 0 {
		m.u64()
	}
	if flags&0x10 != 0 {
		m.u8()
	}
	name := string(m.bytes(int(min(m.number(1<<(flags&3)), 1<<20))))
	at := m.u64()
	if m.short {
		return o.f.bad("a link of a group is damaged")
	}
	if how == 0 {
		if o.links == nil {
			o.links = map[string]uint64{}
		}
		o.links[name] = at
	}
	return nil
}

// Text returns an attribute that is a text, or "".
func (o *Object) Text(name string) string {
	a := o.attributes[name]
	if a == nil || len(a.space.dims) > 0 || a.kind.class != text && a.kind.class != fixedText {
		return ""
	}
	all, err := o.f.texts(a.kind, a.raw, 1)
	if err != nil {
		return ""
	}
	return all[0]
}

// Numbers returns an attribute of one or more whole numbers, or nil.
func (o *Object) Numbers(name string) []int64 {
	a := o.attributes[name]
	if a == nil || a.kind.class != whole {
		return nil
	}
	n := a.space.cells()
	if n < 0 || n > int64(len(a.raw)/a.kind.size) {
		return nil
	}
	to := make([]float64, n)
	a.kind.floats(to, a.raw)
	all := make([]int64, n)
	for i, v := range to {
		all[i] = int64(v)
	}
	return all
}

// Has reports whether an object has an attribute.
func (o *Object) Has(name string) bool { return o.attributes[name] != nil }
