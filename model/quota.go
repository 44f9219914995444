package model

import (
	"fmt"
	"strings"
)

// Quota is the largest number of some columns that may be selected.
type Quota struct {
	// Columns are names of columns, or patterns of names such as sensor*, in which * is any text and ? any letter.
	Columns []string `json:"columns"`
	// Most is the largest number of them.
	Most int `json:"most"`
}

// String describes a quota, such as "sensor*=3".
func (q Quota) String() string { return fmt.Sprintf("%s=%d", strings.Join(q.Columns, "|"), q.Most) }
