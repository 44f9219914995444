package s3

import "time"

// Tests do not wait as long for a store that has stopped answering.
func init() { silence = 2 * time.Second }
