package tcp

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
)

// LoadTLS returns the settings of encrypted connections. Both sides show a certificate, which has
// to be signed by an authority in the file ca. The names in certificates are not compared with
// addresses: every certificate of that authority may take part, so the authority should be used only for these jobs.
func LoadTLS(cert, key, ca string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("tcp: the certificate %s with the key %s: %w", cert, key, err)
	}
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("tcp: %s has no certificate of an authority in PEM format", ca)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAnyClientCert,
		InsecureSkipVerify: true, // of names; VerifyConnection does the rest
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 {
				return errors.New("there is no certificate")
			}
			between := x509.NewCertPool()
			for _, c := range s.PeerCertificates[1:] {
				between.AddCert(c)
			}
			_, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
			if err != nil {
				return &tls.CertificateVerificationError{UnverifiedCertificates: s.PeerCertificates, Err: err}
			}
			return nil
		},
	}, nil
}

// secured returns a connection that is encrypted if the settings say so.
func secured(conn net.Conn, t *tls.Config, client bool) net.Conn {
	switch {
	case t == nil:
		return conn
	case client:
		return tls.Client(conn, t)
	}
	return tls.Server(conn, t)
}
