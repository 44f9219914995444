package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fsa/internal/need"
)

const testToken = "a token that only these tests know"

// freePort returns an address of this machine at which nothing listens.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// process returns a process of a job, which has not started yet.
func process(t testing.TB, at string, n int, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], append(slices.Clone(args), "--rendezvous", at, "--rank", fmt.Sprint(n))...)
	cmd.Env = append(os.Environ(), tokenVariable+"="+testToken, "GOMAXPROCS=1")
	return cmd
}

// ranksOf runs n processes of a job, and returns what each of them prints and how it ends.
func ranksOf(t testing.TB, n int, args func(rank int) []string) (said []string, failed []error) {
	t.Helper()
	at := freePort(t)
	said, failed = make([]string, n), make([]error, n)
	var wait sync.WaitGroup
	for r := range n {
		cmd := process(t, at, r, args(r)...)
		wait.Go(func() {
			out, err := cmd.CombinedOutput()
			said[r], failed[r] = string(out), err
		})
	}
	wait.Wait()
	return said, failed
}

// Processes that meet over TCP arrive at the model of one process, to the last byte.
func TestRendezvousSameModel(t *testing.T) {
	pattern, one := gridTable(t), filepath.Join(t.TempDir(), "one")
	fit := append([]string{"fit", pattern}, gridFit...)
	must(t, append(slices.Clone(fit), "--grid", "1x1", "--out", one)...)
	want := read(t, filepath.Join(one, modelName))
	files := certificates(t)
	for _, c := range []struct {
		shape string
		n     int
		more  []string
	}{{"2x2", 4, nil}, {"1x2", 2, []string{"--tls", files}}, {"3x1", 3, nil}, {"auto", 3, []string{"--processes", "3"}}} {
		t.Run(c.shape, func(t *testing.T) {
			need.LongCase(t, c.shape, "2x2", "1x2")
			out := filepath.Join(t.TempDir(), "run")
			said, failed := ranksOf(t, c.n, func(int) []string {
				return slices.Concat(fit, []string{"--grid", c.shape, "--out", out}, c.more)
			})
			for r, err := range failed {
				if err != nil {
					t.Fatalf("rank %d: %v\n%s", r, err, said[r])
				}
			}
			if !bytes.Equal(read(t, filepath.Join(out, modelName)), want) {
				t.Error("the model is another one")
			}
			if n := strings.Count(strings.Join(said, ""), "variables selected"); n != 1 {
				t.Errorf("%d processes say what was selected\n%s", n, said)
			}
		})
	}
}

// Cross-validation on a grid has the same curve on any grid.
func TestRendezvousValidates(t *testing.T) {
	need.Long(t)
	x, one, out := filepath.Join(t.TempDir(), "x.csv"), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "run")
	must(t, "generate", "ar1", "--n", "120", "--m", "20", "--k", "2", "--task", "regression", "--out", x)
	cv := []string{"cv", x, "-k", "1:3", "--folds", "3", "--epochs", "40"}
	must(t, append(slices.Clone(cv), "--grid", "1x1", "--out", one)...)
	if said, failed := ranksOf(t, 2, func(int) []string { return append(slices.Clone(cv), "--grid", "2x1", "--out", out) }); failed[0] != nil || failed[1] != nil {
		t.Fatalf("%v\n%s", failed, said)
	}
	for _, name := range []string{"curve.json", "rows.csv"} {
		if !bytes.Equal(read(t, filepath.Join(out, name)), read(t, filepath.Join(one, name))) {
			t.Errorf("%s is another one", name)
		}
	}
}

// A process that does not belong to the job is refused, and the job goes on with the right one.
func TestRendezvousRefusesStrangers(t *testing.T) {
	pattern, out, at := gridTable(t), filepath.Join(t.TempDir(), "run"), freePort(t)
	fit := append([]string{"fit", pattern, "--grid", "2x1", "--out", out}, gridFit...)
	first := process(t, at, 0, fit...)
	var told bytes.Buffer
	first.Stderr = &told
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	wrong := process(t, at, 1, fit...)
	wrong.Env = append(wrong.Env, tokenVariable+"=another token of enough bytes")
	if said, err := wrong.CombinedOutput(); err == nil || !strings.Contains(string(said), "the tokens differ") {
		t.Errorf("another token: %v\n%s", err, said)
	}
	short := process(t, at, 1, fit...)
	short.Env = append(short.Env, tokenVariable+"=short")
	if said, err := short.CombinedOutput(); err == nil || !strings.Contains(string(said), "must have at least 16") {
		t.Errorf("a short token: %v\n%s", err, said)
	}
	other := process(t, at, 1, append(slices.Clone(fit), "--grid", "3x1")...)
	if said, err := other.CombinedOutput(); err == nil || !strings.Contains(string(said), "this job has 2 processes") {
		t.Errorf("another grid: %v\n%s", err, said)
	}
	if said, err := process(t, at, 1, fit...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := first.Wait(); err != nil || !strings.Contains(told.String(), "was refused: the tokens differ") {
		t.Errorf("%v\n%s", err, told.String())
	}
}

// A process of another build ends the job of all within 30 s, if no other one comes; they name both.
func TestRendezvousAnotherBuild(t *testing.T) {
	need.Long(t)
	other := filepath.Join(t.TempDir(), "fsa")
	if err := os.WriteFile(other, append(read(t, os.Args[0]), 0), 0o755); err != nil {
		t.Fatal(err)
	}
	at, fit := freePort(t), append([]string{"fit", gridTable(t), "--grid", "2x1"}, gridFit...)
	all := [2]*exec.Cmd{process(t, at, 0, fit...), process(t, at, 1, fit...)}
	all[1].Path = other
	var said [2]bytes.Buffer
	for rank := range all {
		all[rank].Stderr = &said[rank]
		if err := all[rank].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for rank := range all {
		all[rank].Wait()
		if told := said[rank].String(); all[rank].ProcessState.ExitCode() != exitUsage || !strings.Contains(told, "rank 1 runs fsa ") || !strings.Contains(told, "rank 0 runs fsa ") {
			t.Errorf("rank %d: %v\n%s", rank, all[rank].ProcessState, told)
		}
	}
}

// Processes with different settings all end, and say why.
func TestRendezvousDiffers(t *testing.T) {
	fit := append([]string{"fit", gridTable(t), "--grid", "2x1"}, gridFit...)
	said, failed := ranksOf(t, 2, func(rank int) []string {
		if rank == 1 {
			return append(slices.Clone(fit), "--ridge", "0.5")
		}
		return fit
	})
	if failed[0] == nil || failed[1] == nil || strings.Count(strings.Join(said, ""), "--ridge of rank 1 of 2") != 1 {
		t.Errorf("%v\n%s", failed, said)
	}
}

// Processes whose files of one name differ all end, and name both processes and what differs.
func TestRendezvousDifferentTables(t *testing.T) {
	folders := [2]string{t.TempDir(), t.TempDir()}
	for i, c := range []struct {
		rows, says string
	}{{"300", "the target"}, {"280", "the number of rows is 300 there, and 280 here"}} {
		for rank, rows := range []string{"300", c.rows} {
			must(t, "generate", "ar1", "--n", rows, "--m", "10", "--k", "2", "--seed", fmt.Sprint(1+rank), "--out", filepath.Join(folders[rank], "x.csv"))
		}
		at, shape := freePort(t), []string{"2x1", "1x2"}[i]
		var said [2]bytes.Buffer
		var all [2]*exec.Cmd
		for rank := range all {
			all[rank] = process(t, at, rank, "fit", "x.csv", "-k", "2", "--quick", "--grid", shape)
			all[rank].Dir, all[rank].Stderr = folders[rank], &said[rank]
			if err := all[rank].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for rank := range all {
			all[rank].Wait()
		}
		told := said[0].String() + said[1].String()
		if !strings.Contains(told, c.says) || !strings.Contains(told, "rank 0 of 2") || !strings.Contains(told, "rank 1 of 2") {
			t.Errorf("%s: want %q\n%s", shape, c.says, told)
		}
		for rank := range all {
			if code := all[rank].ProcessState.ExitCode(); code != exitBadData {
				t.Errorf("%s: rank %d: exit code %d\n%s", shape, rank, code, told)
			}
		}
	}
}

// A killed process ends the others, which name it, and the fit continues from its checkpoint with
// another grid.
func TestRendezvousKilled(t *testing.T) {
	need.Long(t)
	pattern, one, out := gridTable(t), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "run")
	fit := []string{"fit", pattern, "--target", "y", "-k", "3", "--quick", "--batch", "all", "--tolerance", "none", "--epochs", "1500"}
	must(t, append(slices.Clone(fit), "--grid", "1x1", "--out", one)...)
	at := freePort(t)
	var all [3]*exec.Cmd
	var told [3]bytes.Buffer
	for r := range all {
		all[r] = process(t, at, r, append(slices.Clone(fit), "--grid", "3x1", "--out", out, "--checkpoint-every", "1ms")...)
		all[r].Stderr = &told[r]
		if err := all[r].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for {
		if _, err := os.Stat(filepath.Join(out, checkpointName)); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := all[1].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for r := range all {
		if err := all[r].Wait(); err == nil || r != 1 && !strings.Contains(told[r].String(), "rank 1 at 127.0.0.1:") {
			t.Errorf("rank %d: %v\n%s", r, err, told[r].String())
		}
	}
	if said, failed := ranksOf(t, 2, func(int) []string { return append(slices.Clone(fit), "--grid", "1x2", "--out", out, "--resume") }); failed[0] != nil {
		t.Fatalf("%v\n%s", failed, said)
	}
	if !bytes.Equal(read(t, filepath.Join(out, modelName)), read(t, filepath.Join(one, modelName))) {
		t.Error("the model is another one")
	}
}

// Flags that do not belong together are refused at once, with advice.
func TestRendezvousRefusesFlags(t *testing.T) {
	fit := append([]string{"fit", gridTable(t)}, gridFit...)
	t.Setenv(tokenVariable, "")
	for _, c := range []struct {
		args string
		want string
	}{
		{"--rank 1", "--rank needs --rendezvous"},
		{"--rendezvous a:1", "needs --grid"},
		{"--rendezvous a:1 --grid auto --rank 0", "--processes is missing"},
		{"--rendezvous a:1 --grid 2x2", "the ranks of 4 processes are 0 to 3"},
		{"--rendezvous a:1 --grid 2x2 --rank 4", "the ranks of 4 processes are 0 to 3"},
		{"--rendezvous a:1,b:1 --grid 2x2 --rank 1", "2 addresses, but there are 4 processes"},
		{"--rendezvous a:1 --grid 2x2 --rank 1 --processes 3", "is for 4 processes"},
		{"--rendezvous a:1 --grid 2x2 --rank 1 --tls a,b", "CERT,KEY,CA"},
		{"--rendezvous a:1 --grid 2x2 --rank 1", "openssl rand -hex 32"},
		{"--rendezvous a --grid 2x2 --rank 1 --token-file " + file(t, "token", testToken), "must have the form host:port"},
		{"--rendezvous a:1 --grid 2x2 --rank 1 --token-file " + file(t, "empty", "\n"), "needs a token"},
	} {
		code, _, stderr := call(t, append(slices.Clone(fit), strings.Fields(c.args)...)...)
		if code != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d, want %q\n%s", c.args, code, c.want, stderr)
		}
	}
}

// certificates writes a certificate, its key, and that of the authority, which is itself.
func certificates(t *testing.T) string {
	t.Helper()
	a := newAuthority(t)
	return strings.Join([]string{a.file, a.key, a.file}, ",")
}

// authority signs certificates.
type authority struct {
	cert      *x509.Certificate
	secret    *ecdsa.PrivateKey
	file, key string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fsa"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	return signed(t, c, nil)
}

// signed signs a certificate by another one, or by itself.
func signed(t *testing.T, c *x509.Certificate, by *authority) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, secret := c, key
	if by != nil {
		signer, secret = by.cert, by.secret
	}
	der, err := x509.CreateCertificate(rand.Reader, c, signer, &key.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{
		cert: c, secret: key,
		file: file(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))),
		key:  file(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text}))),
	}
}

// leaf returns a certificate that is valid until a time.
func (a *authority) leaf(t *testing.T, until time.Time) *authority {
	return signed(t, &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "worker"}, NotBefore: until.Add(-time.Hour), NotAfter: until}, a)
}

// Processes whose certificates do not fit are refused at once and say why, those that do not encrypt are refused too,
// and the job goes on with the right process.
func TestRendezvousCertificates(t *testing.T) {
	ours, others := newAuthority(t), newAuthority(t)
	now := time.Now()
	good, old, strange := ours.leaf(t, now.Add(time.Hour)), ours.leaf(t, now.Add(-time.Minute)), others.leaf(t, now.Add(time.Hour))
	of := func(a *authority, ca string) []string { return []string{"--tls", a.file + "," + a.key + "," + ca} }
	at, out := freePort(t), filepath.Join(t.TempDir(), "run")
	fit := append([]string{"fit", gridTable(t), "--grid", "2x1", "--out", out}, gridFit...)
	first := process(t, at, 0, slices.Concat(fit, of(good, ours.file))...)
	var told bytes.Buffer
	first.Stderr = &told
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"expired":                        {of(old, ours.file), "tls"},
		"of another authority":           {of(strange, ours.file), "tls"},
		"of and for another authority":   {of(strange, others.file), "unknown authority"},
		"that trusts another authority":  {of(good, others.file), "unknown authority"},
		"with the key of another":        {[]string{"--tls", good.file + "," + old.key + "," + ours.file}, "private key does not match"},
		"whose authority is no file":     {of(good, "nowhere.pem"), "nowhere.pem"},
		"whose authority is another one": {of(good, good.key), "has no certificate of an authority"},
	} {
		one := process(t, at, 1, slices.Concat(fit, c.args)...)
		one.WaitDelay = time.Second
		said, err := one.CombinedOutput()
		if err == nil || !strings.Contains(string(said), c.want) {
			t.Errorf("a certificate %s: %v, want %q\n%s", name, err, c.want, said)
		}
	}
	plain := process(t, at, 1, fit...)
	if err := plain.Start(); err != nil {
		t.Fatal(err)
	}
	if said, err := process(t, at, 1, slices.Concat(fit, of(good, ours.file))...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	plain.Process.Kill()
	plain.Wait()
	if err := first.Wait(); err != nil || !strings.Contains(told.String(), "expired") {
		t.Errorf("%v\n%s", err, told.String())
	}
}
