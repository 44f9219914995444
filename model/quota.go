package model

import (
	"fmt"
	"strings"
)

// Quota is the largest and the smallest number of some columns that may be selected.
type Quota struct {
	// Columns are names of columns, or patterns of names such as sensor*, in which * is any text and ? any letter.
	Columns []string `json:"columns"`
	// Most is the largest number of them. 0 with a Least means any number.
	Most int `json:"most"`
	// Least is the smallest number of them.
	Least int `json:"least,omitempty"`
}

// String describes a quota, such as "sensor*=3", "sensor*=1..3" or "sensor*=1..".
func (q Quota) String() string {
	number := fmt.Sprint(q.Most)
	if q.Least > 0 {
		number = fmt.Sprintf("%d..", q.Least)
		if q.Most > 0 {
			number += fmt.Sprint(q.Most)
		}
	}
	return strings.Join(q.Columns, "|") + "=" + number
}
