package tcp

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// meeting is how the job begins: all join rank 0, which then tells them where the others are; each
// connects with those of lower rank, and waits for those of higher rank.
type meeting struct {
	*job
	gate *gate

	mu      sync.Mutex
	joined  []*peer // by rank; rank 0 only
	at      []string
	begun   chan struct{} // closed once the roster is known
	roster  roster
	refused map[int]refusal // ranks that were refused and have not joined since; rank 0 only
	changed chan struct{}   // a process has joined, left or been linked
	over    chan struct{}   // closed at the end of the meeting
}

// refusal says why a process that knows the token was refused, and when for the first time.
type refusal struct {
	why string
	at  time.Time
}

// againTime is how long rank 0 waits for another process in place of one that was refused: one that
// an earlier job left behind does not end the job, and one that was started wrongly does not keep
// all others waiting.
const againTime = 20 * time.Second

// retryEvery is the pause between two attempts to reach rank 0. noteAfter is how long a process
// waits before it reports that it is waiting.
const (
	retryEvery = 300 * time.Millisecond
	noteAfter  = 10 * time.Second
)

func (j *job) meet(ctx context.Context) (err error) {
	if j.Size == 1 {
		if j.Listener != nil {
			j.Listener.Close()
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, j.Wait)
	defer cancel()
	if j.Listener == nil {
		if j.Listener, err = Listen(ctx, j.listenAt()); err != nil {
			return fmt.Errorf("tcp: rank %d cannot accept connections: %w", j.Rank, err)
		}
	}
	m := &meeting{job: j, joined: make([]*peer, j.Size), at: make([]string, j.Size), begun: make(chan struct{}), refused: map[int]refusal{}, changed: make(chan struct{}, 1), over: make(chan struct{})}
	m.gate = &gate{listener: j.Listener, config: &j.Config, take: m.take}
	go m.gate.serve()
	defer m.gate.close()
	defer close(m.over)
	if j.Rank == 0 {
		err = m.gather(ctx)
	} else {
		err = m.join(ctx)
	}
	if err == nil {
		err = m.connect(ctx)
	}
	if err == nil {
		j.watch()
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	kind := byte(frameAbort)
	if _, ok := errors.AsType[*Refused](err); ok {
		kind = frameRefuse
	}
	for _, p := range m.joined {
		if p != nil {
			p.send(kind, []byte(err.Error()))
			p.conn.Close()
		}
	}
	return err
}

// listenAt returns the address at which this process accepts connections: on this machine alone if
// the others are there, too.
func (j *job) listenAt() string {
	at, port := j.At[0], "0"
	if len(j.At) > 1 {
		at = j.At[j.Rank]
	}
	host, given, _ := net.SplitHostPort(at)
	if len(j.At) > 1 || j.Rank == 0 {
		port = given
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return net.JoinHostPort(host, port)
	}
	return ":" + port
}

// signal reports that something has changed.
func (m *meeting) signal() {
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

// take adds a process that knows the token.
func (m *meeting) take(conn net.Conn, h hello) error {
	if h.Rank < 0 || h.Rank >= m.Size || h.Rank == m.Rank || h.Size != m.Size {
		return m.refuse(conn, h, fmt.Sprintf("it is rank %d of %d, and this job has %d processes: start each rank once, with the same grid", h.Rank, h.Size, m.Size))
	}
	if h.Link {
		return m.linked(conn, h)
	}
	if m.Rank > 0 {
		return fmt.Errorf("this is rank %d: give the address of rank 0", m.Rank)
	}
	if h.About != m.About {
		return m.refuse(conn, h, fmt.Sprintf("rank %d runs %s, and rank 0 runs %s: start the same program everywhere", h.Rank, h.About, m.About))
	}
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.joined[h.Rank] != nil {
		return fmt.Errorf("rank %d has already joined from %s: start each rank once", h.Rank, m.joined[h.Rank].address)
	}
	_ = conn.SetDeadline(time.Time{})
	p := newPeer(conn, h.Rank, net.JoinHostPort(host, strconv.Itoa(h.Port)))
	if len(m.At) > 1 {
		p.address = m.At[h.Rank]
	}
	p.send(frameWelcome, nil)
	m.joined[h.Rank], m.at[h.Rank] = p, p.address
	delete(m.refused, h.Rank)
	go m.listen(p)
	m.signal()
	return nil
}

// refuse remembers that a process was refused, and returns the reason.
func (m *meeting) refuse(conn net.Conn, h hello, why string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.refused[h.Rank]; !known && h.Rank >= 0 && h.Rank < m.Size && m.joined[h.Rank] == nil {
		m.refused[h.Rank] = refusal{fmt.Sprintf("the process at %s: %s", conn.RemoteAddr(), why), time.Now()}
		m.signal()
	}
	return errors.New(why)
}

// listen receives messages from a process that has joined. If the process ends before the job
// begins, listen removes it, so that it may join again.
func (m *meeting) listen(p *peer) {
	m.hear(p, func(err error) bool {
		select {
		case <-m.begun:
			return true
		default:
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.joined[p.rank] == p {
			m.joined[p.rank] = nil
			p.conn.Close()
		}
		return false
	})
}

// linked takes the connection of a process of higher rank.
func (m *meeting) linked(conn net.Conn, h hello) error {
	if h.Rank < m.Rank {
		return fmt.Errorf("rank %d has to wait for rank %d", h.Rank, m.Rank)
	}
	select {
	case <-m.begun:
	case <-m.over:
		return errors.New("the job has ended before it began")
	}
	if h.Job != m.roster.Job {
		return errors.New("it belongs to an earlier job: end it")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.links[h.Rank] != nil {
		return fmt.Errorf("rank %d is already connected", h.Rank)
	}
	if _, err := conn.Write(appendFrame(nil, frameWelcome, nil)); err != nil {
		return err
	}
	m.link(h.Rank, newLink(conn, m.roster.At[h.Rank]))
	m.signal()
	return nil
}

// gather waits until all have joined, and tells them where the others are.
func (m *meeting) gather(ctx context.Context) error {
	if err := m.until(ctx, "joined", func(rank int) bool { return rank == 0 || m.joined[rank] != nil }); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at[0] = m.At[0]
	m.roster = roster{Job: rand.Text(), At: m.at}
	for _, p := range m.joined[1:] {
		if p == nil { // it has left in this moment
			return fmt.Errorf("tcp: %w", &Lost{0, m.At[0], "has lost a process while the job began: start it again"})
		}
	}
	m.job.mu.Lock()
	m.peers = m.joined[1:]
	m.job.mu.Unlock()
	close(m.begun)
	for _, p := range m.peers {
		p.send(frameRoster, encode(frameRoster, m.roster)[5:])
	}
	return nil
}

// until waits until a condition holds for all ranks. Done is what those have not that are missing.
func (m *meeting) until(ctx context.Context, done string, holds func(rank int) bool) error {
	note := time.After(noteAfter)
	for {
		m.mu.Lock()
		var missing []string
		var refused *Refused
		left := m.Wait
		for rank := range m.Size {
			if rank == m.Rank || holds(rank) {
				continue
			}
			missing = append(missing, strconv.Itoa(rank))
			if no, ok := m.refused[rank]; ok && m.Rank == 0 {
				if left = min(left, m.again-time.Since(no.at)); left <= 0 && refused == nil {
					refused = &Refused{fmt.Sprintf("%s; no other rank %d has come within %v", no.why, rank, m.again)}
				}
			}
		}
		m.mu.Unlock()
		if refused != nil {
			return refused
		}
		if len(missing) == 0 {
			return nil
		}
		const most = 8
		names := strings.Join(missing[:min(len(missing), most)], ", ")
		if len(missing) > most {
			names += fmt.Sprintf(" and %d more", len(missing)-most)
		}
		select {
		case <-m.changed:
		case <-time.After(left):
		case <-note:
			m.Note(fmt.Sprintf("waiting for rank %s of %d, which has not %s at %s", names, m.Size, done, m.At[0]))
		case <-m.failed:
			return m.job.err
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("tcp: rank %s of %d has not %s at %s within %v: start all processes, and let them reach each other", names, m.Size, done, m.At[0], m.Wait)
			}
			return ctx.Err()
		}
	}
}

// join connects with rank 0, and waits for the roster.
func (m *meeting) join(ctx context.Context) error {
	_, text, _ := net.SplitHostPort(m.Listener.Addr().String())
	port, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	conn, err := m.reach(ctx, hello{Rank: m.Rank, Size: m.Size, About: m.About, Port: port})
	if err != nil {
		return err
	}
	p := newPeer(conn, 0, m.At[0])
	m.peers = []*peer{p}
	_ = conn.SetReadDeadline(time.Now().Add(m.Wait))
	for {
		kind, text, err := readFrame(conn)
		switch {
		case err != nil:
			return fmt.Errorf("tcp: %w", &Lost{0, p.address, "has ended before all processes had joined"})
		case kind == frameAbort:
			return errors.New(string(text))
		case kind == frameRefuse:
			return &Refused{string(text)}
		case kind != frameRoster:
			continue
		}
		var r roster
		if err := decode(text, &r); err != nil {
			return err
		}
		if len(r.At) != m.Size {
			return errFrame
		}
		_ = conn.SetReadDeadline(time.Time{})
		m.roster = r
		m.roster.At[0] = m.At[0]
		close(m.begun)
		go m.hear(p, func(error) bool { return true })
		return nil
	}
}

// reach connects with rank 0, which may not have started yet.
func (m *meeting) reach(ctx context.Context, h hello) (net.Conn, error) {
	for begun, noted := time.Now(), false; ; {
		conn, err := m.dial(ctx, m.At[0], h)
		var no *Refused
		switch {
		case err == nil:
			return conn, nil
		case errors.As(err, &no), errors.Is(err, errToken), errors.Is(err, errStranger), certificate(err):
			return nil, fmt.Errorf("tcp: rank 0 at %s: %w", m.At[0], err)
		case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
			return nil, fmt.Errorf("tcp: rank 0 at %s cannot be reached within %v: %w", m.At[0], m.Wait, err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !noted && time.Since(begun) > noteAfter:
			noted = true
			m.Note(fmt.Sprintf("waiting for rank 0 at %s: %s", m.At[0], whyNot(err)))
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryEvery):
		}
	}
}

// whyNot explains why rank 0 cannot be reached.
func whyNot(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return "it accepts connections but closes them: encrypt those of all processes, or of none"
	}
	return err.Error()
}

// certificate reports whether an encrypted connection is impossible.
func certificate(err error) bool {
	var record tls.RecordHeaderError
	var unknown *tls.CertificateVerificationError
	var alert *net.OpError // the other side does not accept the certificate of this one
	return errors.As(err, &record) || errors.As(err, &unknown) || errors.As(err, &alert) && alert.Op == "remote error"
}

// connect connects with all processes.
func (m *meeting) connect(ctx context.Context) error {
	for rank := range m.Rank {
		conn, err := m.dial(ctx, m.roster.At[rank], hello{Link: true, Rank: m.Rank, Size: m.Size, Job: m.roster.Job})
		if err != nil {
			return fmt.Errorf("tcp: rank %d cannot reach rank %d at %s: %w", m.Rank, rank, m.roster.At[rank], err)
		}
		m.mu.Lock()
		m.link(rank, newLink(conn, m.roster.At[rank]))
		m.mu.Unlock()
	}
	return m.until(ctx, "connected", func(rank int) bool { return m.links[rank] != nil })
}
