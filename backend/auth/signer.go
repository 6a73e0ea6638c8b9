package auth

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
)

// maxToken bounds the text that is parsed as a token, in bytes.
const maxToken = 32 * contract.KB

const rsaBits = 2048

// signer holds the one RS256 key of the platform. ready is closed once key,
// kid and jwks, or err, are set.
type signer struct {
	now   func() time.Time
	ready chan struct{}
	key   *rsa.PrivateKey
	kid   string
	jwks  []byte
	err   error

	mu     sync.Mutex
	closed bool
}

// load reads platform.pem, or starts to make one.
func (s *signer) load(dir string, now func() time.Time) error {
	s.now, s.ready = now, make(chan struct{})
	path := filepath.Join(dir, platformKeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		go s.generate(path)
		return nil
	}
	if err != nil {
		return err
	}
	key, err := parseKey(text)
	if err != nil {
		return fmt.Errorf("%s: %w; remove the file to have a new key made, tokens signed before are void then", path, err)
	}
	s.use(key)
	close(s.ready)
	return keepPrivate(path)
}

func (s *signer) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

// generate makes the key, a matter of some hundred milliseconds, and stores it
// before anything is signed with it.
func (s *signer) generate(path string) {
	defer close(s.ready)
	key, err := rsa.GenerateKey(rand.Reader, rsaBits)
	if err != nil {
		s.err = err
		return
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		s.err = err
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.err = errors.New("the platform is stopping")
		return
	}
	if s.err = writePrivate(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); s.err == nil {
		s.use(key)
	}
}

func parseKey(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, errors.New("no PEM block of type PRIVATE KEY")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the private key cannot be parsed")
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok || key.N.BitLen() < rsaBits {
		return nil, fmt.Errorf("not an RSA key of at least %d bits", rsaBits)
	}
	return key, nil
}

// use sets the key; its id is the thumbprint of RFC 7638.
func (s *signer) use(key *rsa.PrivateKey) {
	enc := base64.RawURLEncoding.EncodeToString
	n, e := enc(key.N.Bytes()), enc(big.NewInt(int64(key.E)).Bytes())
	print := sha256.Sum256(fmt.Appendf(nil, `{"e":"%s","kty":"RSA","n":"%s"}`, e, n))
	type jwk struct {
		Kty string `json:"kty"`
		Use string `json:"use"`
		Alg string `json:"alg"`
		Kid string `json:"kid"`
		N   string `json:"n"`
		E   string `json:"e"`
	}
	s.key, s.kid = key, enc(print[:])
	s.jwks, _ = json.Marshal(map[string][]jwk{"keys": {{"RSA", "sig", "RS256", s.kid, n, e}}})
}

// JWKS is the JSON Web Key Set of the platform's public key, contract.md 5.5.
// It waits while the key is being made; nil when that failed.
func (a *Auth) JWKS() []byte {
	<-a.signer.ready
	return a.signer.jwks
}

// Sign makes an RS256 token. typ goes into the header and tells kinds of tokens
// apart: one kind is never accepted as another.
func (a *Auth) Sign(typ string, claims jwt.Claims) (string, error) {
	s := &a.signer
	<-s.ready
	if s.err != nil {
		return "", fmt.Errorf("platform key: %w", s.err)
	}
	t := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	t.Header["typ"] = typ
	t.Header["kid"] = s.kid
	return t.SignedString(s.key)
}

// Verify checks a token that Sign made and fills claims: RS256 by our key and
// no other (what the header says about keys is compared, never followed), the
// header's typ, an expiry that has not passed by more than contract.ClockSkew.
// What else a kind of token needs, such as its audience, its claims check in
// Validate() error. The error says what is wrong and never repeats the token.
func (a *Auth) Verify(typ, token string, claims jwt.Claims) error {
	s := &a.signer
	if len(token) > maxToken {
		return fmt.Errorf("the token is longer than %d bytes", maxToken)
	}
	<-s.ready
	if s.err != nil {
		return fmt.Errorf("platform key: %w", s.err)
	}
	_, err := jwt.ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) {
		if got, _ := t.Header["typ"].(string); got != typ {
			return nil, fmt.Errorf("the token is not of type %s", typ)
		}
		if kid, _ := t.Header["kid"].(string); kid != s.kid {
			return nil, errors.New("the token names a key that is not ours")
		}
		if _, there := t.Header["crit"]; there {
			return nil, errors.New("the token has critical headers")
		}
		return &s.key.PublicKey, nil
	},
		jwt.WithValidMethods([]string{"RS256"}),
		jwt.WithStrictDecoding(),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(contract.ClockSkew),
		jwt.WithTimeFunc(s.now),
	)
	return err
}
