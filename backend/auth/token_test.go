package auth

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// pass is a token's claims that name their audience.
type pass struct {
	jwt.RegisteredClaims
	Grant string `json:"grant"`
}

func (p *pass) Validate() error {
	if len(p.Audience) != 1 || p.Audience[0] != "fn-host" {
		return errors.New("the token is for somebody else")
	}
	return nil
}

func passFor(now time.Time, life time.Duration) *pass {
	return &pass{jwt.RegisteredClaims{
		Audience: jwt.ClaimStrings{"fn-host"}, IssuedAt: jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(life)),
	}, "kv"}
}

// forge signs what Sign would never sign.
func forge(t *testing.T, method jwt.SigningMethod, key any, header map[string]any, claims jwt.Claims) string {
	t.Helper()
	tok := jwt.NewWithClaims(method, claims)
	for k, v := range header {
		tok.Header[k] = v
	}
	s, err := tok.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTokens(t *testing.T) {
	const typ = "fn-invocation"
	ck := newClock()
	now := ck.now()
	a := open(t, t.TempDir(), newMemStore(), ck)
	good, err := a.Sign(typ, passFor(now, time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	kid, ours := a.signer.kid, a.signer.key
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, _ := x509.MarshalPKIXPublicKey(&ours.PublicKey)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	header := func(more map[string]any) map[string]any {
		h := map[string]any{"typ": typ, "kid": kid}
		for k, v := range more {
			h[k] = v
		}
		return h
	}
	otherJWK := map[string]any{"kty": "RSA", "e": "AQAB", "n": base64.RawURLEncoding.EncodeToString(other.N.Bytes())}
	parts := strings.Split(good, ".")
	claims := passFor(now, time.Minute)
	noExpiry := passFor(now, time.Minute)
	noExpiry.ExpiresAt = nil
	elsewhere := passFor(now, time.Minute)
	elsewhere.Audience = jwt.ClaimStrings{"payments"}
	notYet := passFor(now, time.Minute)
	notYet.NotBefore = jwt.NewNumericDate(now.Add(10 * time.Second))
	widened := base64.RawURLEncoding.EncodeToString([]byte(`{"aud":["fn-host"],"exp":99999999999,"grant":"everything"}`))

	for name, tok := range map[string]string{
		"empty":               "",
		"words":               "not a token",
		"two parts":           parts[0] + "." + parts[1],
		"no signature":        parts[0] + "." + parts[1] + ".",
		"changed claims":      parts[0] + "." + widened + "." + parts[2],
		"padded signature":    good + "=",
		"alg none":            forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, header(nil), claims),
		"HS256 by public PEM": forge(t, jwt.SigningMethodHS256, public, header(nil), claims),
		"HS256 by public DER": forge(t, jwt.SigningMethodHS256, der, header(nil), claims),
		"RS512":               forge(t, jwt.SigningMethodRS512, ours, header(nil), claims),
		"PS256":               forge(t, jwt.SigningMethodPS256, ours, header(nil), claims),
		"another key":         forge(t, jwt.SigningMethodRS256, other, header(nil), claims),
		"another key and kid": forge(t, jwt.SigningMethodRS256, other, header(map[string]any{"kid": "other"}), claims),
		"jku to another key":  forge(t, jwt.SigningMethodRS256, other, header(map[string]any{"jku": "http://127.0.0.1:1/jwks.json"}), claims),
		"x5u to another key":  forge(t, jwt.SigningMethodRS256, other, header(map[string]any{"x5u": "http://127.0.0.1:1/cert.pem"}), claims),
		"jwk of another key":  forge(t, jwt.SigningMethodRS256, other, header(map[string]any{"jwk": otherJWK}), claims),
		"kid as a path":       forge(t, jwt.SigningMethodRS256, ours, header(map[string]any{"kid": "../../dev/null"}), claims),
		"kid as a number":     forge(t, jwt.SigningMethodRS256, ours, header(map[string]any{"kid": 1}), claims),
		"no kid":              forge(t, jwt.SigningMethodRS256, ours, map[string]any{"typ": typ}, claims),
		"typ JWT":             forge(t, jwt.SigningMethodRS256, ours, map[string]any{"kid": kid}, claims),
		"typ of another kind": forge(t, jwt.SigningMethodRS256, ours, header(map[string]any{"typ": "portal"}), claims),
		"typ in capitals":     forge(t, jwt.SigningMethodRS256, ours, header(map[string]any{"typ": "FN-INVOCATION"}), claims),
		"critical header":     forge(t, jwt.SigningMethodRS256, ours, header(map[string]any{"crit": []string{"b64"}, "b64": false}), claims),
		"expired":             forge(t, jwt.SigningMethodRS256, ours, header(nil), passFor(now.Add(-time.Minute), time.Minute-3*time.Second)),
		"no expiry":           forge(t, jwt.SigningMethodRS256, ours, header(nil), noExpiry),
		"issued in future":    forge(t, jwt.SigningMethodRS256, ours, header(nil), passFor(now.Add(10*time.Second), time.Minute)),
		"not yet valid":       forge(t, jwt.SigningMethodRS256, ours, header(nil), notYet),
		"another audience":    forge(t, jwt.SigningMethodRS256, ours, header(nil), elsewhere),
		"too long":            good + strings.Repeat("A", maxToken),
	} {
		var got pass
		err := a.Verify(typ, tok, &got)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if len(tok) > 20 && strings.Contains(err.Error(), tok) {
			t.Errorf("%s: the error repeats the token", name)
		}
	}

	// What a header says about keys is ignored when the key is ours anyway.
	withJKU := forge(t, jwt.SigningMethodRS256, ours, header(map[string]any{"jku": "http://127.0.0.1:1/"}), claims)
	for name, tok := range map[string]string{
		"signed by us":      good,
		"jku, our key":      withJKU,
		"expired by 1 s":    forge(t, jwt.SigningMethodRS256, ours, header(nil), passFor(now.Add(-time.Minute), time.Minute-time.Second)),
		"issued 1 s ahead":  forge(t, jwt.SigningMethodRS256, ours, header(nil), passFor(now.Add(time.Second), time.Minute)),
		"60 s, at its last": forge(t, jwt.SigningMethodRS256, ours, header(nil), passFor(now.Add(-59*time.Second), time.Minute)),
	} {
		var got pass
		if err := a.Verify(typ, tok, &got); err != nil || got.Grant != "kv" {
			t.Errorf("%s: %v, claims %+v", name, err, got)
		}
	}
}

// TestJWKS verifies a token with nothing but what the key set says.
func TestJWKS(t *testing.T) {
	ck := newClock()
	a := open(t, t.TempDir(), newMemStore(), ck)
	tok, err := a.Sign("portal", passFor(ck.now(), time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Keys []struct{ Kty, Use, Alg, Kid, N, E string }
	}
	if err := json.Unmarshal(a.JWKS(), &set); err != nil || len(set.Keys) != 1 {
		t.Fatalf("%v: %s", err, a.JWKS())
	}
	k := set.Keys[0]
	if k.Kty != "RSA" || k.Use != "sig" || k.Alg != "RS256" {
		t.Errorf("key %+v", k)
	}
	n, _ := base64.RawURLEncoding.DecodeString(k.N)
	e, _ := base64.RawURLEncoding.DecodeString(k.E)
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	parsed, err := jwt.Parse(tok, func(*jwt.Token) (any, error) { return key, nil },
		jwt.WithValidMethods([]string{"RS256"}), jwt.WithTimeFunc(ck.now))
	if err != nil || parsed.Header["kid"] != k.Kid || parsed.Header["typ"] != "portal" {
		t.Errorf("%v, header %v", err, parsed.Header)
	}
	if strings.Contains(string(a.JWKS()), `"d"`) {
		t.Error("the key set has the private exponent")
	}
}

func FuzzVerify(f *testing.F) {
	a, err := Open(f.Context(), Config{Dir: f.TempDir(), Store: newMemStore()})
	if err != nil {
		f.Fatal(err)
	}
	defer a.Close()
	good, err := a.Sign("fn-invocation", passFor(time.Now(), time.Hour))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("")
	f.Add("a.b.c")
	f.Add(good[:len(good)-1])
	f.Fuzz(func(t *testing.T, tok string) {
		if a.Verify("fn-invocation", tok, &pass{}) == nil && tok != good {
			t.Errorf("accepted %q", tok)
		}
	})
}
