package live

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// ask sends a request to a server, as a client would.
func ask(t *testing.T, s *Server, method, path string, header map[string]string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		if k == "Host" {
			r.Host = v
		} else {
			r.Header.Set(k, v)
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body), answer.Header
}

// No request is answered without the token, under another name or from another page, and only the
// page, its events, the report and "stop" exist.
func TestHostileRequests(t *testing.T) {
	stopped := 0
	s, err := Listen(t.Context(), "run", func() { stopped++ })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	own, here := "/"+s.token+"/", "http://"+s.host
	tries := 0
	refuse := func(method, path string, header map[string]string) {
		t.Helper()
		tries++
		if code, body, _ := ask(t, s, method, path, header); code < 400 || strings.Contains(body, s.token) {
			t.Errorf("%s %s %v: %d %s", method, path, header, code, body)
		}
	}
	wrong := strings.Repeat("0", len(s.token))
	for _, path := range []string{"/", "//", "/events", "/stop", "/report", "/index.html", "/favicon.ico", "/" + wrong + "/", "/" + s.token[:10] + "/", "/" + s.token, "/" + strings.ToUpper(s.token) + "x/",
		"/../" + s.token[1:] + "/", "/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", own + "../../etc/passwd", own + "%2e%2e%2f%2e%2e%2fetc%2fpasswd", own + "model.json", own + "run.json", own + ".", own + "events/x", own + "report", own + "stop", own + "EVENTS", own + "\\..\\x", "/?token=" + s.token} {
		refuse(http.MethodGet, path, nil)
	}
	for _, host := range []string{"evil.example", "localhost", "127.0.0.1", "evil.example:80", strings.Replace(s.host, "127.0.0.1", "localhost.evil.example", 1), "[::1]:80"} {
		refuse(http.MethodGet, own, map[string]string{"Host": host})
		refuse(http.MethodPost, own+"stop", map[string]string{"Host": host, "Origin": here})
	}
	for _, origin := range []string{"http://evil.example", "null", "https://" + s.host, "http://" + s.host + ".evil.example", "file://"} {
		refuse(http.MethodGet, own, map[string]string{"Origin": origin})
		refuse(http.MethodGet, own+"events", map[string]string{"Origin": origin})
		refuse(http.MethodPost, own+"stop", map[string]string{"Origin": origin})
	}
	refuse(http.MethodPost, own+"stop", nil) // no browser leaves the origin out
	refuse(http.MethodGet, own, map[string]string{"Sec-Fetch-Site": "cross-site"})
	refuse(http.MethodGet, own, map[string]string{"Sec-Fetch-Site": "same-site"})
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch, "TRACE"} {
		refuse(method, own, map[string]string{"Origin": here})
	}
	if tries < 40 {
		t.Errorf("only %d requests were tried", tries)
	}
	if stopped != 0 {
		t.Fatalf("stopped %d times by strangers", stopped)
	}
	code, body, header := ask(t, s, http.MethodGet, own, nil)
	if code != http.StatusOK || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || !strings.Contains(body, "<h1>run</h1>") {
		t.Errorf("the page: %d, %v", code, header)
	}
	if code, _, _ = ask(t, s, http.MethodPost, own+"stop", map[string]string{"Origin": here}); code != http.StatusNoContent || stopped != 1 {
		t.Errorf("stop: %d, stopped %d times", code, stopped)
	}
}

// A title is never markup.
func TestTitle(t *testing.T) {
	s, err := Listen(t.Context(), "<script>alert(1)</script>", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, body, _ := ask(t, s, http.MethodGet, "/"+s.token+"/", nil); strings.Contains(body, "<script>alert") || strings.Contains(body, `id="stop"`) {
		t.Error("the title is markup, or there is a button that does nothing")
	}
}

// However long a fit takes, memory and messages stay small, and a late reader gets the history.
func TestBounded(t *testing.T) {
	s, err := Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for e := 1; e <= 30_000; e++ { // 50 a second for 10 minutes
		s.Show(Now{Epoch: e, Epochs: 30_000, Variables: 30_001 - e, Strongest: []Strength{{"<b>", 1}}})
		s.Say(strings.Repeat("x", 1000))
	}
	for size := range 5000 {
		s.Fill(CurvePoint{Size: 4999 - size, Folds: 1, Of: 5, Mean: 1})
		s.Fill(CurvePoint{Size: 4999 - size, Folds: 2, Of: 5, Mean: 1})
	}
	if n := len(s.state.Curve.Points); n > points || n < points/4 || s.state.Curve.Points[0].Folds != 2 {
		t.Errorf("the curve has %d points, the first %+v", n, s.state.Curve.Points[0])
	}
	if len(s.state.History) > points || len(s.state.Log) > lines || len([]rune(s.state.Log[0].Text)) > longest+1 {
		t.Errorf("%d points, %d lines of %d", len(s.state.History), len(s.state.Log), len(s.state.Log[0].Text))
	}
	s.Finish([]byte("the report"))
	code, body, _ := ask(t, s, http.MethodGet, "/"+s.token+"/events", nil)
	data, ok := strings.CutPrefix(strings.TrimSpace(body), "data: ")
	var m struct {
		Now     Now
		History []Point
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil || code != http.StatusOK || !ok || !m.Now.Ended || !m.Now.Report || m.Now.Epoch != 30_000 || len(m.History) < points/4 {
		t.Errorf("%d, %v, %d points: %.200s", code, err, len(m.History), body)
	}
	if _, body, _ = ask(t, s, http.MethodGet, "/"+s.token+"/report", nil); body != "the report" {
		t.Errorf("instead of the report: %s", body)
	}
	s.Linger(t.Context()) // for nobody
}

// The number of readers is limited, and each gets new messages.
func TestReaders(t *testing.T) {
	s, err := Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range mostReaders + 1 {
		r, err := http.Get(s.Address() + "events")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if (r.StatusCode == http.StatusOK) != (i < mostReaders) {
			t.Errorf("reader %d: %s", i, r.Status)
		}
		if i > 0 {
			continue
		}
		scan := bufio.NewScanner(r.Body)
		scan.Scan() // the current state
		s.Show(Now{Epoch: 7})
		for scan.Scan() && !strings.Contains(scan.Text(), fmt.Sprintf(`"epoch":%d`, 7)) {
		}
		if scan.Err() != nil {
			t.Error(scan.Err())
		}
	}
}
