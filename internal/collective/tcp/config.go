package tcp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"
)

// Config says which process this is, and how it finds the others.
type Config struct {
	Rank, Size int
	// At is the address of rank 0, host:port, or a list with the address of every rank. With a list,
	// each process listens at its own address, and otherwise ranks above 0 at any free port.
	At []string
	// Token is the secret that all processes of the job know.
	Token []byte
	// TLS encrypts all connections, if it is set; see [LoadTLS].
	TLS *tls.Config `json:"-"`
	// About describes the program. It has to be the same in all processes.
	About string
	// Wait is how long to wait for the other processes; 0 means 10 minutes.
	Wait time.Duration
	// Listener is used in place of a new one, if it is set. It is closed once all have joined.
	Listener net.Listener `json:"-"`
	// Note is called with messages about processes that are awaited or refused; it may be nil.
	Note func(text string) `json:"-"`
	// Failed is called once, on a goroutine of its own, if the job ends because a process has failed
	// or is lost. Calls that wait for others return the same error. May be nil.
	Failed func(error) `json:"-"`

	silent time.Duration // time after which a silent process counts as lost; 0 means silentTime
	again  time.Duration // time in which a refused process has to be replaced; 0 means againTime
}

// MostProcesses is the largest size of a job: every process is connected with every other one.
const MostProcesses = 1024

// leastToken is the number of bytes that a token must have: a short one could be guessed from what
// is seen on the network.
const leastToken = 16

// usualWait is how long processes wait for each other before the job begins.
const usualWait = 10 * time.Minute

// ErrConfig says that a process was given settings with which it cannot join any job.
var ErrConfig = errors.New("tcp: wrong settings")

func (c *Config) check() error {
	switch {
	case c.Size < 1 || c.Size > MostProcesses:
		return fmt.Errorf("%w: a job of %d processes: there must be 1 to %d", ErrConfig, c.Size, MostProcesses)
	case c.Rank < 0 || c.Rank >= c.Size:
		return fmt.Errorf("%w: rank %d of %d processes: ranks are 0 to %d", ErrConfig, c.Rank, c.Size, c.Size-1)
	case len(c.At) != 1 && len(c.At) != c.Size:
		return fmt.Errorf("%w: %d addresses for %d processes: give the address of rank 0, or one for each rank", ErrConfig, len(c.At), c.Size)
	case len(c.Token) < leastToken:
		return fmt.Errorf("%w: the token has %d bytes: it must have at least %d", ErrConfig, len(c.Token), leastToken)
	}
	for _, at := range c.At {
		if host, port, err := net.SplitHostPort(at); err != nil || host == "" || port == "" || port == "0" {
			return fmt.Errorf("%w: the address %q: it must have the form host:port", ErrConfig, at)
		}
	}
	return nil
}
