package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"
)

// server holds what requests share.
type server struct {
	working sync.WaitGroup
	version string

	mu     sync.Mutex // of the following fields
	out    io.Writer
	cancel map[int64]context.CancelFunc // of requests in progress
	ports  map[int]net.Listener         // for workers whose fits have not begun
}

// send writes an answer. If the client no longer reads, the input will end soon.
func (s *server) send(answer any) {
	line, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("serve: %v", err)) // answers hold finite numbers only
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Write(append(line, '\n'))
}
