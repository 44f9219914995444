package h5

// attribute is a small value of an object.
type attribute struct {
	kind  datatype
	space space
	raw   []byte
}

// attribute reads an attribute.
func (o *Object) attribute(m *cursor) error {
	version, flags := m.u8(), m.u8()
	name, kind, space := int(m.u16()), int(m.u16()), int(m.u16())
	pad := func(n int) int { return n }
	switch version {
	case 1:
		flags, pad = 0, func(n int) int { return (n + 7) &^ 7 }
	case 2:
	case 3:
		m.u8()
	default:
		return nil
	}
	part := func(n int) *cursor { return &cursor{b: m.bytes(pad(n))} }
	called := part(name).text(name)
	typed, shape := part(kind), part(space)
	if m.short {
		return o.f.bad("an attribute is damaged")
	}
	if flags != 0 { // its type is elsewhere
		return nil
	}
	var a attribute
	var err error
	if a.kind, err = o.f.datatype(typed, 0); err != nil {
		return err
	}
	if a.space, err = o.f.space(shape); err != nil {
		return err
	}
	a.raw = m.b
	o.attributes[called] = &a
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
