package data

// setSurvival sets the events and the strata of a target.
func (c *Collector) setSurvival(t *Target) error {
	t.Event, t.Stratum = c.events, c.strata
	if c.resolved && c.event >= 0 {
		t.EventName = c.schema.Name(c.event)
	}
	if c.resolved && c.stratum >= 0 {
		t.StratumName = c.schema.Name(c.stratum)
	}
	if v := c.roles.EventVector; v != nil {
		t.Event = make([]float64, len(v.Values))
		for i, x := range v.Values {
			t.Event[i] = eventOf(x, v.Categories)
		}
	}
	if v := c.roles.StratumVector; v != nil {
		t.Stratum = v.Values
	}
	if err := c.check("event", t.Event, c.roles.EventVector, checkEvent); err != nil {
		return err
	}
	return c.check("stratum", t.Stratum, c.roles.StratumVector, checkStratum)
}

// offsets returns the offsets given by a vector.
func (r *Roles) offsets(v *Vector) ([]float64, error) {
	if v.Categories != nil {
		return nil, &Error{File: v.Name, Msg: r.offsetWord() + "s must be numbers"}
	}
	out := make([]float64, len(v.Values))
	for i, cell := range v.Values {
		o, err := OffsetOf(cell, r.Exposure)
		if err != nil {
			err.File, err.Row = v.Name, i+1
			return nil, err
		}
		out[i] = o
	}
	return out, nil
}

// offsetWord returns the word for the content of the offset column.
func (r *Roles) offsetWord() string {
	if r.Exposure {
		return "exposure"
	}
	return "offset"
}
