// Package live serves a page that shows the progress of a fit, to this machine only.
//
// The address of the page cannot be guessed, the server answers only under its own name, and the
// page can do one thing: ask the fit to stop. The memory and the messages of the page do not grow
// with the fit.
package live

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"fsa/internal/template"
)

var (
	//go:embed assets/live.html
	pageHTML string
	//go:embed assets/live.css
	pageCSS string
	//go:embed assets/live.js
	pageJS string

	pageTemplate = template.HTML("live", pageHTML, nil)
)

const (
	// mostReaders is the number of pages that may be open at once.
	mostReaders = 8
	// mostConnections is the number of connections that may be open at once, from any client. Each
	// uses a file handle, which the fit may need to save its model.
	mostConnections = 4 * mostReaders
	// patience is the time within which a client must read a message or send a request.
	patience = 10 * time.Second
)

// Server shows one fit, from its board.
type Server struct {
	title string
	stop  func() // asks the fit to stop; nil if it cannot
	token string
	host  string // 127.0.0.1:port
	http  *http.Server

	*Board
	report  []byte
	readers int
	fetched chan struct{} // closed when a page has fetched the report
	once    sync.Once
}

// Listen starts to serve a page with the given title, until the context ends or Close is called.
// Its button calls stop; nil means no button.
func Listen(ctx context.Context, title string, stop func()) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("live: no page can be served on this machine: %w", err)
	}
	secret := make([]byte, 24)
	rand.Read(secret) // which never fails
	s := &Server{title: title, stop: stop, token: hex.EncodeToString(secret), host: listener.Addr().String(), Board: NewBoard(pause), fetched: make(chan struct{})}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: patience, IdleTimeout: patience, MaxHeaderBytes: 1 << 14}
	go s.http.Serve(limit(listener, mostConnections)) // until it is closed
	context.AfterFunc(ctx, s.Close)
	return s, nil
}

// Address returns the address of the page.
func (s *Server) Address() string { return "http://" + s.host + "/" + s.token + "/" }

// Close stops the server.
func (s *Server) Close() { s.http.Close() }

// Finish ends the progress: the page turns into the report. Without a report it stays as it is.
func (s *Server) Finish(report []byte) {
	s.update(func(st *state) {
		st.Now.Ended = true
		st.Now.Report = report != nil
		s.report = report
	})
}

// Linger waits for a short time until an open page has fetched the report.
func (s *Server) Linger(ctx context.Context) {
	s.mu.Lock()
	watched := s.readers > 0 && s.report != nil
	s.mu.Unlock()
	if !watched {
		return
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	select {
	case <-s.fetched:
		s.http.Shutdown(ctx) // after what is being sent
	case <-ctx.Done():
	}
}

// serve answers requests only for the right address.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("X-Frame-Options", "DENY")
	page, ok := s.allowed(r)
	if !ok {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	switch {
	case r.Method == http.MethodPost && page == "stop":
		s.serveStop(w, r)
	case r.Method != http.MethodGet:
		http.Error(w, "not allowed", http.StatusMethodNotAllowed)
	case page == "":
		s.servePage(w)
	case page == "events":
		s.serveEvents(w, r)
	case page == "report":
		s.serveReport(w)
	default:
		http.Error(w, "not found", http.StatusNotFound)
	}
}

// allowed checks the client, the host name, and the token.
func (s *Server) allowed(r *http.Request) (page string, ok bool) {
	if r.Host != s.host { // another name that resolves to this machine
		return "", false
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+s.host {
		return "", false
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return "", false
	}
	token, page, found := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	if !found || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		return "", false
	}
	return page, true
}

// serveStop asks the fit to stop. Browsers send the origin of such a request.
func (s *Server) serveStop(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "http://"+s.host || s.stop == nil {
		http.Error(w, "not allowed", http.StatusForbidden)
		return
	}
	s.stop()
	s.update(func(st *state) { st.Now.Stopping = true })
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) servePage(w http.ResponseWriter) {
	policy := fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", hashOf(pageCSS), hashOf(pageJS))
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	pageTemplate.Execute(w, struct {
		Title string
		CSS   template.Verbatim
		JS    template.Verbatim
		Stop  bool
	}{s.title, template.Verbatim(pageCSS), template.Verbatim(pageJS), s.stop != nil})
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (s *Server) serveReport(w http.ResponseWriter) {
	s.mu.Lock()
	report := s.report
	s.mu.Unlock()
	if report == nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'") // and what the page itself demands
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(report)
	s.once.Do(func() { close(s.fetched) })
}

// serveEvents sends everything so far and then new messages, as server-sent events. A slow reader
// skips messages.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "too many readers", http.StatusServiceUnavailable)
		return
	}
	defer s.leave()
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	seen, first, drawn := -1, true, 0
	for {
		s.mu.Lock()
		version, changed := s.version, s.changed
		message, err := s.state.message(first, drawn)
		ended, curve := s.state.Now.Ended, s.state.Curve.version
		s.mu.Unlock()
		if err != nil {
			return
		}
		if version != seen {
			seen, first, drawn = version, false, curve
			err := out.SetWriteDeadline(time.Now().Add(patience))
			if err != nil && !errors.Is(err, http.ErrNotSupported) {
				return
			}
			if _, err := fmt.Fprintf(w, "data: %s\n\n", message); err != nil || out.Flush() != nil {
				return
			}
		}
		if ended {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readers >= mostReaders {
		return false
	}
	s.readers++
	return true
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers--
}
