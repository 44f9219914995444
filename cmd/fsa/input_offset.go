package main

import "errors"

// offsetFlag is --offset or --exposure.
type offsetFlag struct {
	in       *input
	exposure bool
}

func (o *offsetFlag) String() string {
	if o.in == nil || o.in.Exposure != o.exposure {
		return ""
	}
	return o.in.Offset
}

func (o *offsetFlag) Set(text string) error {
	if o.in.Offset != "" && o.in.Exposure != o.exposure {
		return errors.New("give either --offset or --exposure; an exposure is the exponential of an offset")
	}
	o.in.Offset, o.in.Exposure = text, o.exposure
	return nil
}

func (o *offsetFlag) Type() string { return "column" }
