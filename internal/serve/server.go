package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// server is what requests share.
type server struct {
	working sync.WaitGroup
	version string

	mu        sync.Mutex // of what follows
	out       io.Writer
	cancel    map[int64]context.CancelFunc // of requests that are worked on
	exchanged map[int64]chan<- []string    // where those that are one of several workers wait for the others
}

// send writes an answer. Where nobody reads it, the end of the input is near.
func (s *server) send(answer any) {
	line, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("serve: %v", err)) // answers hold finite numbers only
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Write(append(line, '\n'))
}
