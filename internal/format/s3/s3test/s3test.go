// Package s3test starts an S3-compatible store for tests.
package s3test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"fsa/internal/need"
)

// program is the store, and how to install it.
const (
	program = "versitygw"
	install = "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0"
)

const access, secret = "tester", "a secret of tests"

// Store is a store that runs until the test ends. The environment points to it.
type Store struct {
	t      testing.TB
	client *minio.Client
}

// Start starts a store with one bucket, or skips the test if the program is missing.
func Start(t testing.TB, bucket string) *Store {
	t.Helper()
	places := []string{program}
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, filepath.Join(home, "go", "bin", program))
	}
	found := need.Program(t, install, places...)
	where, said := "", ""
	for tries := 0; where == "" && tries < 10; tries++ { // somebody else may take the port
		where, said = listen(t, found)
	}
	if where == "" {
		t.Fatalf("%s has ended: %s", program, said)
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": "http://" + where, "AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "us-east-1",
	} {
		t.Setenv(name, value)
	}
	s := &Store{t: t}
	var err error
	if s.client, err = minio.New(where, &minio.Options{Creds: credentials.NewStaticV4(access, secret, ""), Region: "us-east-1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.client.MakeBucket(context.Background(), bucket, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	return s
}

// listen starts the program on a port that was free and returns its address once it answers; empty
// if it ends before, with what it said.
func listen(t testing.TB, path string) (where, said string) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	where = free.Addr().String()
	free.Close()
	cmd := exec.Command(path, "--access", access, "--secret", secret, "--port", where, "--quiet", "posix", "--sidecar", t.TempDir(), t.TempDir())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	for {
		select {
		case <-ended:
			return "", out.String()
		default:
			if c, err := net.Dial("tcp", where); err == nil {
				c.Close()
				return where, ""
			}
			runtime.Gosched()
		}
	}
}

// Put writes an object.
func (s *Store) Put(bucket, key string, content []byte) {
	s.t.Helper()
	if _, err := s.client.PutObject(context.Background(), bucket, key, bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{}); err != nil {
		s.t.Fatal(err)
	}
}
