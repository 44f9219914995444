package s3_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"fsa/data"
	"fsa/internal/format/s3"
	"fsa/internal/format/s3/s3test"
)

// An object reads as its bytes, from the start to the end and in any order, by many readers at a
// time.
func TestObject(t *testing.T) {
	store := s3test.Start(t, "bucket")
	rng := rand.New(rand.NewPCG(1, 9))
	content := make([]byte, 35<<20+17) // more than is cached
	for i := range content {
		content[i] = byte(rng.Uint32())
	}
	store.Put("bucket", "some/where.bin", content)
	o, err := s3.Open(t.Context(), "s3://bucket/some/where.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if o.Size() != int64(len(content)) {
		t.Fatalf("%d bytes, want %d", o.Size(), len(content))
	}
	got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil || !bytes.Equal(got, content) {
		t.Fatalf("the stream is another: %d bytes, %v", len(got), err)
	}
	t.Run("random", func(t *testing.T) {
		for range 4 {
			seed := rng.Uint64()
			t.Run("", func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(seed, 1))
				for range 50 {
					off, n := rng.IntN(len(content)), rng.IntN(3<<20)
					p := make([]byte, n)
					n, err := o.ReadAt(p, int64(off))
					if want := content[off:min(off+len(p), len(content))]; !bytes.Equal(p[:n], want) || (err == io.EOF) != (len(want) < len(p)) || err != nil && err != io.EOF {
						t.Errorf("%d bytes from %d on: %d, %v", len(p), off, n, err)
					}
				}
			})
		}
	})
	store.Put("bucket", "some/where.bin", content[:34<<20])
	if _, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size())); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "s3://bucket/some/where.bin") || !strings.Contains(err.Error(), "changed") {
		t.Errorf("an object that was replaced: %v", err)
	}
}

// cut is a body that ends too early.
type cut struct {
	io.ReadCloser
	left int
}

func (c *cut) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, errors.New("cut")
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// through puts something between the program and the store, which changes answers.
func through(t *testing.T, answer func(r *http.Response) error) {
	t.Helper()
	where, err := url.Parse(os.Getenv("AWS_ENDPOINT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	between := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(where)
			r.Out.Host = r.In.Host // which is signed
		},
		ModifyResponse: answer,
		ErrorLog:       log.New(io.Discard, "", 0),
	})
	t.Cleanup(between.Close)
	t.Setenv("AWS_ENDPOINT_URL", between.URL)
}

// stalled is a body that stops, until nobody waits for it any more.
type stalled struct {
	io.ReadCloser
	left int
	gone <-chan struct{}
}

func (s *stalled) Read(p []byte) (int, error) {
	if s.left == 0 {
		<-s.gone
		return 0, io.ErrUnexpectedEOF
	}
	n, err := s.ReadCloser.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

// A store that stops in the middle of an answer is asked again, and one that stops for good is an
// error.
func TestStalled(t *testing.T) {
	store := s3test.Start(t, "bucket")
	content := bytes.Repeat([]byte("0123456789abcdef"), 3<<16)
	store.Put("bucket", "x.bin", content)
	var asked, always atomic.Int64
	through(t, func(r *http.Response) error {
		if r.Request.Method == http.MethodGet && (asked.Add(1) == 2 || always.Load() > 0) {
			r.Body = &stalled{r.Body, 1000, r.Request.Context().Done()}
		}
		return nil
	})
	open := func() *s3.Object {
		o, err := s3.Open(t.Context(), "s3://bucket/x.bin")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		return o
	}
	if got, err := io.ReadAll(io.NewSectionReader(open(), 0, int64(len(content)))); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	o := open()
	always.Store(1)
	if _, err := o.ReadAt(make([]byte, 9), 0); err == nil || !strings.Contains(err.Error(), "the store has stopped answering") {
		t.Errorf("a store that has stopped: %v", err)
	}
}

// A store that does not know conditions is not believed when the object is another, and neither is
// one that sends all of an object where a part was asked for.
func TestConditionsIgnored(t *testing.T) {
	store := s3test.Start(t, "bucket")
	content, other := bytes.Repeat([]byte("0123456789abcdef"), 3<<16), bytes.Repeat([]byte("fedcba9876543210"), 3<<16)
	send := func(r *http.Response, status int, body []byte) {
		r.StatusCode, r.ContentLength, r.Body = status, int64(len(body)), io.NopCloser(bytes.NewReader(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	for what, c := range map[string]struct {
		answer func(r *http.Response) error
		says   string
	}{
		"If-Match": {func(r *http.Response) error {
			if r.StatusCode == http.StatusPreconditionFailed {
				r.Header.Set("ETag", `"another"`)
				r.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", 1<<20, 2<<20-1, len(other)))
				r.Header.Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
				send(r, http.StatusPartialContent, other[1<<20:2<<20])
			}
			return nil
		}, "was changed"},
		"Range": {func(r *http.Response) error {
			if r.StatusCode == http.StatusPartialContent {
				r.Header.Del("Content-Range")
				send(r, http.StatusOK, content)
			}
			return nil
		}, "does not send parts"},
	} {
		t.Run(what, func(t *testing.T) {
			store.Put("bucket", "x.bin", content)
			through(t, c.answer)
			o, err := s3.Open(t.Context(), "s3://bucket/x.bin")
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if what == "If-Match" {
				store.Put("bucket", "x.bin", other)
			}
			if _, err := o.ReadAt(make([]byte, 9), 1<<20); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), c.says) {
				t.Error(err)
			}
		})
	}
}

// Bytes that stop coming are requested again, from where they stopped.
func TestCut(t *testing.T) {
	store := s3test.Start(t, "bucket")
	content := bytes.Repeat([]byte("0123456789abcdef"), 3<<16)
	store.Put("bucket", "x.bin", content)
	var cuts atomic.Int64
	through(t, func(r *http.Response) error {
		if r.Request.Method == http.MethodGet && cuts.Add(1)%3 > 0 {
			r.Body = &cut{r.Body, 300_000}
		}
		return nil
	})
	o, err := s3.Open(t.Context(), "s3://bucket/x.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if n := cuts.Load(); n < 6 {
		t.Errorf("%d requests only: nothing was cut", n)
	}
}

// A pattern matches objects in the order of their names.
func TestExpand(t *testing.T) {
	store := s3test.Start(t, "bucket")
	for _, key := range []string{"a/part-2.csv", "a/part-1.csv", "a/other.csv", "a/deep/part-3.csv", "b/part-4.csv"} {
		store.Put("bucket", key, []byte("x"))
	}
	got, err := s3.Expand(t.Context(), "s3://bucket/a/part-*.csv")
	if want := []string{"s3://bucket/a/part-1.csv", "s3://bucket/a/part-2.csv"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := s3.Expand(t.Context(), "s3://bucket/c/*"); err == nil || !strings.Contains(err.Error(), "s3://bucket/c/*") {
		t.Error(err)
	}
}

// A folder has all objects below it.
func TestList(t *testing.T) {
	store := s3test.Start(t, "bucket")
	for _, key := range []string{"a/year=2/x.csv", "a/year=1/x.csv", "a/", "ab/x.csv"} {
		store.Put("bucket", key, nil)
	}
	got, err := s3.List(t.Context(), "s3://bucket/a/")
	if want := []string{"s3://bucket/a/year=1/x.csv", "s3://bucket/a/year=2/x.csv"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := s3.List(t.Context(), "s3:///"); err == nil || !strings.Contains(err.Error(), "names no bucket") {
		t.Error(err)
	}
}

// What cannot be read is named by bucket and key, with what to do.
func TestErrors(t *testing.T) {
	store := s3test.Start(t, "bucket")
	store.Put("bucket", "x.csv", []byte("x"))
	refused := func(address string, want ...string) error {
		t.Helper()
		_, err := s3.Open(t.Context(), address)
		for _, w := range append(want, address) {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v, want %q", address, err, w)
			}
		}
		return err
	}
	if err := refused("s3://bucket/y.csv", "no such object in bucket bucket"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	refused("s3://", "names no bucket")
	if err := refused("s3://my bucket/x.csv", "is not a bucket"); !errors.Is(err, data.ErrBadData) {
		t.Error(err)
	}
	refused("s3://bucket/folder/", "s3://bucket/folder/*.parquet")
	if _, err := s3.Expand(t.Context(), "s3://nowhere/*.csv"); err == nil || !strings.Contains(err.Error(), "there is no bucket nowhere") {
		t.Error(err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another secret")
	refused("s3://bucket/x.csv", "refuses access to bucket bucket", "AWS_ACCESS_KEY_ID")
	for _, where := range []string{"nonsense", "ftp://host"} {
		t.Setenv("AWS_ENDPOINT_URL", where)
		refused("s3://bucket/x.csv", "AWS_ENDPOINT_URL", where)
	}
}

// Keys also come from the file of a profile.
func TestProfile(t *testing.T) {
	store := s3test.Start(t, "bucket")
	store.Put("bucket", "x.csv", []byte("x"))
	keys := filepath.Join(t.TempDir(), "credentials")
	text := "[default]\naws_access_key_id = nobody\naws_secret_access_key = nothing\n[tests]\naws_access_key_id = " +
		os.Getenv("AWS_ACCESS_KEY_ID") + "\naws_secret_access_key = " + os.Getenv("AWS_SECRET_ACCESS_KEY") + "\n"
	if err := os.WriteFile(keys, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", keys)
	t.Setenv("AWS_PROFILE", "tests")
	if _, err := s3.Open(t.Context(), "s3://bucket/x.csv"); err != nil {
		t.Error(err)
	}
}
