// Package s3test starts a store that speaks the protocol of S3, for tests.
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

// program is the store, and its cure where it is not there.
const (
	program = "versitygw"
	install = "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0"
)

const access, secret = "tester", "a secret of tests"

// Store is a store that runs until the test ends. The environment names it.
type Store struct {
	t      testing.TB
	client *minio.Client
}

// Start starts a store with one bucket, or skips the test where there is no program for it.
func Start(t testing.TB, bucket string) *Store {
	t.Helper()
	places := []string{program}
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, filepath.Join(home, "go", "bin", program))
	}
	found := need.Program(t, install, places...)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	where := free.Addr().String()
	free.Close()
	cmd := exec.Command(found, "--access", access, "--secret", secret, "--port", where, "--quiet", "posix", "--sidecar", t.TempDir(), t.TempDir())
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
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
	for up := false; !up; {
		select {
		case <-ended:
			t.Fatalf("%s has ended: %s", program, said.String())
		default:
			c, err := net.Dial("tcp", where)
			if up = err == nil; up {
				c.Close()
			}
			runtime.Gosched()
		}
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": "http://" + where, "AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "us-east-1",
	} {
		t.Setenv(name, value)
	}
	s := &Store{t: t}
	if s.client, err = minio.New(where, &minio.Options{Creds: credentials.NewStaticV4(access, secret, ""), Region: "us-east-1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.client.MakeBucket(context.Background(), bucket, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Put writes an object.
func (s *Store) Put(bucket, key string, content []byte) {
	s.t.Helper()
	if _, err := s.client.PutObject(context.Background(), bucket, key, bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{}); err != nil {
		s.t.Fatal(err)
	}
}
