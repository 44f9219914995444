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

// peers asks the methods of a Python for their predictions, unless the cache has them.
// One worker has one of its own.
type peers struct {
	setup   *Setup
	cache   *cache
	script  string // folder
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     chan []byte
	stderr  bytes.Buffer
	version map[string]string // of each method that is there
	said    *sync.Map         // methods whose lack was named, by any worker
}

func newPeers(s *Setup, said *sync.Map) *peers {
	return &peers{setup: s, cache: &cache{s.Cache}, said: said}
}

// errTooLong is wrapped by errors of peers that were given up.
var errTooLong = errors.New("no answer within the time limit")

// answers returns what all peers say of a pair of tables.
func (p *peers) answers(ctx context.Context, at pair, train, test *Table) ([]theirs, error) {
	var out []theirs
	var todo []string
	name := fmt.Sprintf("%s-%d-%s", at.set.Name, at.seed, fingerprint(train, test))
	if p.setup.Python != "" && p.cmd == nil {
		if err := p.start(ctx); err != nil {
			return nil, err
		}
	}
	for _, method := range p.setup.Peers {
		if !fits(method, train.task()) {
			continue
		}
		known, err := p.cache.load(name, method, p.version[method])
		if err != nil {
			return nil, err
		}
		if p.version[method] != "" && !covers(p.lasting(known), at.set.K) {
			todo = append(todo, method)
			continue
		}
		for _, a := range known {
			if slices.Contains(at.set.K, a.K) {
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

// lasting returns the answers that asking again would not better: those that were
// given up after less time than there is now would be waited for longer.
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

// ask asks for what is not in the cache, and puts it there.
func (p *peers) ask(ctx context.Context, at pair, train, test *Table, name string, methods []string) ([]theirs, error) {
	folder, err := os.MkdirTemp("", "fsa-real-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	request := map[string]any{"task": train.task(), "k": at.set.K, "classes": len(train.Classes)}
	for part, t := range map[string]*Table{"train": train, "test": test} {
		if request[part], err = t.export(filepath.Join(folder, part)); err != nil {
			return nil, err
		}
	}
	var out []theirs
	for _, method := range methods {
		request["method"] = method
		list, err := p.fit(ctx, request, at.set.K)
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

// fit sends a request and collects its answers. What the peer does wrong is an answer
// too; an error is that of the context, or of a Python that cannot be started.
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
		if err == nil && a.K > 0 && a.Method != request["method"] {
			err = fmt.Errorf("it is that of %q", a.Method)
		}
		if err != nil { // what comes next would be taken for the answer to another request
			p.end()
			return fail(fmt.Errorf("an answer that cannot be used: %w", err)), nil
		}
		switch {
		case a.Done:
			return fail(errors.New("there was no answer")), nil
		case a.Error != "" && a.K == 0:
			return fail(errors.New(a.Error)), nil
		}
		out = append(out, a.Answer)
	}
}

// start starts Python and reads which methods it has.
func (p *peers) start(ctx context.Context) error {
	if p.script == "" {
		folder, err := os.MkdirTemp("", "fsa-peers-")
		if err != nil {
			return err
		}
		p.script = folder
		if err := os.WriteFile(filepath.Join(folder, "predict.py"), scripts.Predict, 0o600); err != nil {
			return err
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
		return fmt.Errorf("real: the Python for peers says %q, which is not how it begins", text)
	}
	p.version = hello.Methods
	for method, why := range hello.Missing {
		if _, said := p.said.LoadOrStore(method, true); !said {
			p.setup.Log("%s: left out: %s", method, why)
		}
	}
	return nil
}

// next returns the next line of Python. Without one it ends it.
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

// end ends Python, if it runs.
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

// close ends Python and removes the script.
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
