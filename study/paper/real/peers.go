package real

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	scripts "fsa/scripts/peers"
)

// theirs is the answer of a peer.
type theirs struct {
	method string
	Answer
}

// peers requests predictions from the methods of a Python, unless the cache has them. Each worker
// has its own.
type peers struct {
	setup   *Setup
	cache   *cache
	script  string // folder of the scripts
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     chan []byte
	stderr  bytes.Buffer
	version map[string]string // version of each available method
	said    *sync.Map         // missing methods that any worker has reported
}

func newPeers(s *Setup, said *sync.Map) *peers {
	return &peers{setup: s, cache: &cache{s.Cache}, said: said}
}

// errTooLong is wrapped by errors of peers that were stopped.
var errTooLong = errors.New("no answer within the time limit")

// answers returns the answers of all peers for a pair of tables.
func (p *peers) answers(ctx context.Context, at pair, train, test *Table) ([]theirs, error) {
	var out []theirs
	var todo []string
	name := fmt.Sprintf("%s-%d-%s", at.set.Name, at.seed, fingerprint(train, test))
	if p.setup.Python != "" && p.cmd == nil {
		if err := p.start(ctx); err != nil {
			return nil, err
		}
	}
	for _, m := range methods {
		method := m.name
		if !slices.Contains(p.setup.Peers, method) || !m.fits(train) {
			continue
		}
		known, err := p.cache.load(name, method, p.version[method])
		if err != nil {
			return nil, err
		}
		if p.version[method] != "" && !covers(p.lasting(known), at.k) {
			todo = append(todo, method)
			continue
		}
		for _, a := range known {
			if slices.Contains(at.k, a.K) {
				out = append(out, theirs{method, a})
			}
		}
	}
	if len(todo) > 0 {
		fresh, err := p.ask(ctx, at, train, test, name, todo)
		if err != nil {
			return nil, err
		}
		out = append(out, fresh...)
	}
	good := out[:0]
	for _, a := range out {
		err := a.check(test)
		if a.Error != "" {
			err = errors.New(a.Error)
		}
		if err != nil {
			p.setup.Log("%s on %s, seed %d, k = %d: %v", a.method, at.set.Name, at.seed, a.K, err)
			continue
		}
		good = append(good, a)
	}
	return good, nil
}

// lasting returns the answers that need not be requested again: methods that were stopped at less
// than the current limit would get more time.
func (p *peers) lasting(known []Answer) []Answer {
	return slices.DeleteFunc(slices.Clone(known), func(a Answer) bool { return a.Limit > 0 && a.Limit < p.setup.Limit.Seconds() })
}

// covers reports whether there is an answer for every k.
func covers(known []Answer, ks []int) bool {
	for _, k := range ks {
		if !slices.ContainsFunc(known, func(a Answer) bool { return a.K == k }) {
			return false
		}
	}
	return true
}

// ask requests the answers that are not in the cache, and stores them there.
func (p *peers) ask(ctx context.Context, at pair, train, test *Table, name string, methods []string) ([]theirs, error) {
	folder, err := os.MkdirTemp("", "fsa-real-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	request := map[string]any{"task": train.task(), "k": at.k, "classes": len(train.Classes)}
	for part, t := range map[string]*Table{"train": train, "test": test} {
		if request[part], err = t.export(filepath.Join(folder, part)); err != nil {
			return nil, err
		}
	}
	var out []theirs
	for _, method := range methods {
		request["method"] = method
		list, err := p.fit(ctx, request, at.k)
		if err != nil {
			return nil, err
		}
		if err := p.cache.store(name, method, p.version[method], list); err != nil {
			return nil, err
		}
		for _, a := range list {
			out = append(out, theirs{method, a})
		}
	}
	return out, nil
}

// fit sends a request and collects its answers. Errors of the peer are answers too; a returned
// error is that of the context, or of a Python that cannot be started.
func (p *peers) fit(ctx context.Context, request map[string]any, ks []int) ([]Answer, error) {
	if p.cmd == nil {
		if err := p.start(ctx); err != nil {
			return nil, err
		}
	}
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	var out []Answer
	fail := func(why error) []Answer {
		for _, k := range ks {
			if !covers(out, []int{k}) {
				a := Answer{K: k, Error: why.Error()}
				if errors.Is(why, errTooLong) {
					a.Limit = p.setup.Limit.Seconds()
				}
				out = append(out, a)
			}
		}
		return out
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		p.end()
		return fail(err), nil
	}
	for {
		text, err := p.next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return fail(err), nil
		}
		var a struct {
			Answer
			Method string `json:"method"`
			Done   bool   `json:"done"`
		}
		err = json.Unmarshal(text, &a)
		ends := a.Done || a.Error != "" && a.Method == "" // the request, not one answer to it
		if err == nil && !ends && a.Method != request["method"] {
			err = fmt.Errorf("it belongs to the method %q", a.Method)
		}
		if err != nil { // the next line would be read as the answer to another request
			p.end()
			return fail(fmt.Errorf("an unusable answer: %w", err)), nil
		}
		switch {
		case a.Done:
			return fail(errors.New("there was no answer")), nil
		case ends:
			return fail(errors.New(a.Error)), nil
		}
		out = append(out, a.Answer)
	}
}

// start starts Python and reads its list of methods.
func (p *peers) start(ctx context.Context) error {
	if p.script == "" {
		folder, err := os.MkdirTemp("", "fsa-peers-")
		if err != nil {
			return err
		}
		p.script = folder
		for name, text := range map[string][]byte{"predict.py": scripts.Predict, "references.py": scripts.References} {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				return err
			}
		}
	}
	p.stderr.Reset()
	cmd := exec.CommandContext(ctx, p.setup.Python, filepath.Join(p.script, "predict.py"))
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	cmd.Stderr = &p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("real: the Python for peers does not start (scripts/peers/setup.sh makes one): %w", err)
	}
	p.cmd, p.in, p.out = cmd, in, make(chan []byte)
	go func(lines chan<- []byte) {
		defer close(lines)
		r := bufio.NewReaderSize(out, 1<<20)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}(p.out)
	text, err := p.next(ctx)
	if err != nil {
		return fmt.Errorf("real: the Python for peers does not answer (scripts/peers/setup.sh makes one that does): %w", err)
	}
	var hello struct{ Methods, Missing map[string]string }
	if err := json.Unmarshal(text, &hello); err != nil {
		return fmt.Errorf("real: the Python for peers prints %q instead of the list of its methods", text)
	}
	p.version = hello.Methods
	for method, why := range hello.Missing {
		if _, said := p.said.LoadOrStore(method, true); !said && slices.Contains(p.setup.Peers, method) {
			p.setup.Log("%s: left out: %s", method, why)
		}
	}
	return nil
}

// next returns the next line of Python. If there is none, it ends Python.
func (p *peers) next(ctx context.Context) ([]byte, error) {
	timer := time.NewTimer(p.setup.Limit)
	defer timer.Stop()
	select {
	case line, ok := <-p.out:
		if ok {
			return line, nil
		}
		p.end()
		return nil, fmt.Errorf("it ended without an answer: %s", lastLine(p.stderr.String()))
	case <-timer.C:
		p.end()
		return nil, fmt.Errorf("%w of %v; --limit sets another", errTooLong, p.setup.Limit)
	case <-ctx.Done():
		p.end()
		return nil, ctx.Err()
	}
}

// end ends Python, if it is running.
func (p *peers) end() {
	if p.cmd == nil {
		return
	}
	p.cmd.Process.Kill()
	p.in.Close()
	for range p.out {
	}
	p.cmd.Wait()
	p.cmd = nil
}

// close ends Python and removes the scripts.
func (p *peers) close() {
	p.end()
	if p.script != "" {
		os.RemoveAll(p.script)
		p.script = ""
	}
}

// lastLine returns the last line of a text.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return "it did not say why"
	}
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
