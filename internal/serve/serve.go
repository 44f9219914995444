// Package serve keeps the program running for another process that requests fits: the Python or
// the R package. Requests and answers are lines of JSON; tables are in files that both processes
// map, so that they are neither written as text nor copied. See docs/formats.md for the protocol.
package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
)

// Protocol is the version of the protocol. Both sides must have the same.
const Protocol = 7

// Serve answers the requests of in until its end. Several are processed at the same time. Requests
// that are not done when in ends are cancelled, because nothing waits for them any more.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	ctx, stop := context.WithCancel(ctx)
	s := &server{out: out, version: version, cancel: map[int64]context.CancelFunc{}, ports: map[int]net.Listener{}}
	defer s.closePorts()
	defer s.working.Wait()
	defer stop()
	s.send(hello{Hello: "fsa", Protocol: Protocol, Version: version})
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() {
		for r := bufio.NewReader(in); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				failed <- err
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case line := <-lines:
			s.take(ctx, line)
		case <-ctx.Done():
			return nil
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("serve: %w", err)
		}
	}
}

// take starts the request of a line.
func (s *server) take(ctx context.Context, line []byte) {
	var r request
	strict := json.NewDecoder(bytes.NewReader(line))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&r); err != nil {
		s.fail(r.ID, &protocolError{err})
		return
	}
	switch r.Op {
	case "cancel":
		s.mu.Lock()
		if stop := s.cancel[r.ID]; stop != nil {
			stop()
		}
		s.mu.Unlock()
	case "listen":
		if port, err := s.listen(ctx, r.Host); err != nil {
			s.fail(r.ID, err)
		} else {
			s.send(listening{ID: r.ID, Event: "done", Port: port})
		}
	case "fit", "export", "predict", "report":
		s.mu.Lock()
		_, twice := s.cancel[r.ID]
		if !twice {
			ctx, s.cancel[r.ID] = context.WithCancel(ctx)
		}
		s.mu.Unlock()
		if twice {
			s.fail(r.ID, &protocolError{fmt.Errorf("request %d is still running: use another number", r.ID)})
			return
		}
		s.working.Go(func() { s.work(ctx, &r) })
	default:
		s.fail(r.ID, &protocolError{fmt.Errorf("there is no operation %q", r.Op)})
	}
}

// work processes a request and answers it.
func (s *server) work(ctx context.Context, r *request) {
	done, err := s.safely(ctx, r)
	s.mu.Lock()
	s.cancel[r.ID]()
	delete(s.cancel, r.ID) // before the answer, so that the number can be used again
	s.mu.Unlock()
	if err != nil {
		s.fail(r.ID, err)
		return
	}
	s.send(done)
}

// safely fits, predicts or exports. A bug in one request must not end the others, and neither must a mapped
// file that becomes shorter.
func (s *server) safely(ctx context.Context, r *request) (done any, err error) {
	debug.SetPanicOnFault(true) // on this goroutine and, by package parallel, on its threads
	defer func() {
		if p := recover(); p != nil {
			stack := debug.Stack()
			os.Stderr.Write(stack)
			err = bug(p, r, stack)
		}
	}()
	switch {
	case r.Op == "export":
		return s.export(r)
	case r.Op == "report":
		return s.report(r)
	case r.Op == "predict":
		return s.predict(ctx, r)
	case r.Worker != nil:
		return s.fitTogether(ctx, r)
	}
	return s.fit(ctx, r)
}

// fail reports why a request failed.
func (s *server) fail(id int64, err error) {
	s.send(failure{ID: id, Event: "error", Kind: kindOf(err), Message: message(err)})
}
