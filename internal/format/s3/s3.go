// Package s3 reads objects of Amazon S3 and compatible stores as if they were files:
// s3://BUCKET/KEY. The usual variables configure it:
//
//	AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL        the store, if it is not Amazon's
//	AWS_REGION, AWS_DEFAULT_REGION               its region, unless it can be asked for it
//	AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY     keys, or else
//	~/.aws/credentials, AWS_PROFILE              those of a profile, or else
//	the role of the machine, or nobody           for public objects
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"fsa/data"
)

const scheme = "s3://"

// Is reports whether a path is the address of an object.
func Is(path string) bool { return strings.HasPrefix(path, scheme) }

// split returns the bucket and the key of an address.
func split(address string) (bucket, key string, err error) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(address, scheme), "/")
	switch {
	case s3utils.CheckValidBucketName(bucket) != nil && bucket != "":
		err = &data.Error{File: address, Msg: fmt.Sprintf("%q is not a bucket: the address must be s3://BUCKET/KEY", bucket)}
	case bucket == "":
		err = &data.Error{File: address, Msg: "this address names no bucket: it must be s3://BUCKET/KEY"}
	case key == "" || strings.HasSuffix(key, "/"):
		err = &data.Error{File: address, Msg: "this address names no object: name one, or several such as " + strings.TrimSuffix(address, "/") + "/*.parquet"}
	}
	return bucket, key, err
}

// Expand returns the addresses of the objects that match a pattern, in their order. * and ? do not
// match /.
func Expand(ctx context.Context, pattern string) ([]string, error) {
	bucket, key, err := split(pattern)
	if err != nil {
		return nil, err
	}
	if _, err := path.Match(key, ""); err != nil {
		return nil, &data.Error{File: pattern, Msg: "this is not a valid pattern", Err: err}
	}
	found, err := list(ctx, pattern, bucket, key[:strings.IndexAny(key+"*", "*?[\\")], func(one string) bool {
		ok, _ := path.Match(key, one)
		return ok
	})
	if err == nil && len(found) == 0 {
		err = &data.Error{File: pattern, Msg: "no object matches"}
	}
	return found, err
}

// List returns the addresses of all objects whose addresses begin with that of a folder, in order.
func List(ctx context.Context, folder string) ([]string, error) {
	const all = "*"
	bucket, key, err := split(folder + all)
	if err != nil {
		return nil, err
	}
	return list(ctx, folder, bucket, strings.TrimSuffix(key, all), func(key string) bool { return !strings.HasSuffix(key, "/") })
}

// list returns the addresses of the objects whose keys begin with a prefix and are wanted, in order.
func list(ctx context.Context, address, bucket, prefix string, wanted func(key string) bool) ([]string, error) {
	c, err := client()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of the listing, if an error ends it early
	var found []string
	for o := range c.Client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, named(address, o.Err)
		}
		if wanted(o.Key) {
			found = append(found, scheme+bucket+"/"+o.Key)
		}
	}
	slices.Sort(found)
	return found, nil
}

// roleTime is the time limit for asking the machine for its role: most have none.
const roleTime = 2 * time.Second

// transports are shared by all clients, so that connections are reused.
var transports = map[bool]func() (*http.Transport, error){
	true:  sync.OnceValues(func() (*http.Transport, error) { return newTransport(true) }),
	false: sync.OnceValues(func() (*http.Transport, error) { return newTransport(false) }),
}

func newTransport(secure bool) (*http.Transport, error) {
	t, err := minio.DefaultTransport(secure)
	if err == nil {
		t.ResponseHeaderTimeout = silence
	}
	return t, err
}

// client returns a client of the store in the environment.
func client() (*minio.Core, error) {
	where := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	if given := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); given != "" {
		var err error
		if where, err = url.Parse(given); err != nil || where.Host == "" || where.Scheme != "http" && where.Scheme != "https" {
			return nil, fmt.Errorf("the address of the store in AWS_ENDPOINT_URL is %q: it must look like https://host:9000", given)
		}
	}
	secure := where.Scheme != "http"
	transport, err := transports[secure]()
	if err != nil {
		return nil, err
	}
	return minio.NewCore(where.Host, &minio.Options{
		MaxRetries: tries, Secure: secure, Transport: transport, Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Timeout: roleTime}},
		}),
	})
}

// named puts the address before an error.
func named(address string, err error) error {
	if err = plain(address, err); errors.Is(err, data.ErrBadData) {
		return err
	}
	return fmt.Errorf("%s: %w", address, err)
}

// plain explains an error of the store, and what to do.
func plain(address string, err error) error {
	bucket, _, _ := split(address)
	switch code := minio.ToErrorResponse(err).Code; code {
	case minio.NoSuchKey, "NotFound":
		return fmt.Errorf("there is no such object in bucket %s: %w", bucket, fs.ErrNotExist)
	case minio.NoSuchBucket:
		return fmt.Errorf("there is no bucket %s: %w", bucket, fs.ErrNotExist)
	case minio.AccessDenied, "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken":
		return fmt.Errorf("the store refuses access to bucket %s (%s): check that AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials, have keys that may read it", bucket, code)
	case minio.PreconditionFailed:
		return &data.Error{File: address, Msg: "the object was changed while it was read: start again when no program writes to it"}
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return errSilent
	}
	return err
}
