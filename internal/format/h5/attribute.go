package h5

// attribute is a small value of an object.
type attribute struct {
	kind  datatype
	space space
	raw   []byte
}

// attribute reads an attribute; nil if it is in a form that is not read.
func (f *File) attribute(m *cursor) (name string, _ *attribute, err error) {
	version, flags := m.u8(), m.u8()
	named, kind, space := int(m.u16()), int(m.u16()), int(m.u16())
	pad := func(n int) int { return n }
	switch version {
	case 1:
		flags, pad = 0, func(n int) int { return (n + 7) &^ 7 }
	case 2:
	case 3:
		m.u8()
	default:
		return "", nil, nil
	}
	part := func(n int) *cursor { return &cursor{b: m.bytes(pad(n))} }
	name = part(named).text(named)
	typed, shape := part(kind), part(space)
	if m.short {
		return "", nil, f.bad("an attribute is damaged")
	}
	if flags != 0 { // its type is elsewhere
		return "", nil, nil
	}
	var a attribute
	if a.kind, err = f.datatype(typed, 0); err != nil {
		return "", nil, err
	}
	if a.space, err = f.space(shape); err != nil {
		return "", nil, err
	}
	a.raw = m.b
	return name, &a, nil
}
