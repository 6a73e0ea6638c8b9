package webapi

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"benchtop/backend/worker/sandbox"
)

// Kinds of keys, the first byte of a packed key.
const (
	secretKey  = 's'
	publicKey  = 'p'
	privateKey = 'k'
)

// packed is an imported key as the prelude keeps it: its kind, the length in
// bits of an RSA modulus (two bytes, else 0), the length of an RSA exponent and
// the exponent (else 0), and the material: plain bytes of a secret, PKCS #1 for
// RSA, the uncompressed point or the scalar for EC, point or seed for Ed25519.
func packed(kind byte, material []byte) []byte {
	return append([]byte{kind, 0, 0, 0}, material...)
}

func packedRSA(kind byte, k *rsa.PublicKey, material []byte) ([]byte, error) {
	bits := k.N.BitLen()
	if bits > maxModulus {
		return nil, &failure{"NotSupportedError", fmt.Sprintf("RSA keys have at most %d bits in js-v1", maxModulus)}
	}
	e := big.NewInt(int64(k.E)).Bytes()
	out := append([]byte{kind, byte(bits >> 8), byte(bits), byte(len(e))}, e...)
	return append(out, material...), nil
}

// importKey reads a key in any format.
func importKey(c *sandbox.Call) ([]byte, error) {
	format, name, curve := c.String(0), c.String(1), c.String(2)
	if format == "jwk" {
		var k jwk
		if err := json.Unmarshal([]byte(c.String(3)), &k); err != nil {
			return nil, dataError("the JWK has a member that is not a text")
		}
		return k.imported(name, curve)
	}
	data := c.Memory(3)
	switch {
	case format == "raw" && name == "ECDSA":
		return importPoint(curve, data)
	case format == "raw" && name == "Ed25519":
		if len(data) != ed25519.PublicKeySize {
			return nil, dataError(fmt.Sprintf("an Ed25519 public key has 32 bytes, not %d", len(data)))
		}
		return packed(publicKey, data), nil
	case format == "raw":
		return packed(secretKey, data), nil
	case format == "spki":
		k, err := x509.ParsePKIXPublicKey(data)
		if err != nil {
			return nil, dataError("this is no SubjectPublicKeyInfo that can be read: " + err.Error())
		}
		return importPublic(name, curve, k)
	}
	k, err := x509.ParsePKCS8PrivateKey(data)
	if err != nil {
		return nil, dataError("this is no PKCS #8 key that can be read: " + err.Error())
	}
	return importPrivate(name, curve, k)
}

func curveOf(name string) elliptic.Curve {
	switch name {
	case "P-256":
		return elliptic.P256()
	case "P-384":
		return elliptic.P384()
	}
	return elliptic.P521()
}

// importPoint takes a point of a curve, compressed or not.
func importPoint(curve string, data []byte) ([]byte, error) {
	of := curveOf(curve)
	if len(data) > 0 && (data[0] == 2 || data[0] == 3) {
		x, y := elliptic.UnmarshalCompressed(of, data)
		if x == nil {
			return nil, dataError("this is no point of " + curve)
		}
		size := (of.Params().BitSize + 7) / 8
		full := make([]byte, 1+2*size)
		full[0] = 4
		x.FillBytes(full[1 : 1+size])
		y.FillBytes(full[1+size:])
		data = full
	}
	if _, err := ecdsa.ParseUncompressedPublicKey(of, data); err != nil {
		return nil, dataError("this is no point of " + curve)
	}
	return packed(publicKey, data), nil
}

func isRSA(name string) bool { return name[:3] == "RSA" }

func importPublic(name, curve string, key any) ([]byte, error) {
	switch k := key.(type) {
	case *rsa.PublicKey:
		if isRSA(name) {
			return packedRSA(publicKey, k, x509.MarshalPKCS1PublicKey(k))
		}
	case *ecdsa.PublicKey:
		if name == "ECDSA" && k.Curve == curveOf(curve) {
			raw, err := k.Bytes()
			if err != nil {
				return nil, dataError(err.Error())
			}
			return packed(publicKey, raw), nil
		}
	case ed25519.PublicKey:
		if name == "Ed25519" {
			return packed(publicKey, k), nil
		}
	}
	return nil, dataError("the key is not one for " + name + " " + curve)
}

func importPrivate(name, curve string, key any) ([]byte, error) {
	switch k := key.(type) {
	case *rsa.PrivateKey:
		if isRSA(name) {
			return packedRSA(privateKey, &k.PublicKey, x509.MarshalPKCS1PrivateKey(k))
		}
	case *ecdsa.PrivateKey:
		if name == "ECDSA" && k.Curve == curveOf(curve) {
			raw, err := k.Bytes()
			if err != nil {
				return nil, dataError(err.Error())
			}
			return packed(privateKey, raw), nil
		}
	case ed25519.PrivateKey:
		if name == "Ed25519" {
			return packed(privateKey, k.Seed()), nil
		}
	}
	return nil, dataError("the key is not one for " + name + " " + curve)
}

// jwk has the members of a JSON Web Key that make the key; the prelude has
// looked at the others (RFC 7517, 7518, 8037).
type jwk struct {
	Kty, Crv                    string
	K, X, Y, D                  string
	N, E, P, Q, DP, DQ, QI, Oth string
}

var errBase64 = errors.New("no base64url")

// number reads a base64url member.
func number(text string) ([]byte, error) {
	if text == "" {
		return nil, errBase64
	}
	return base64.RawURLEncoding.DecodeString(text)
}

func (k jwk) imported(name, curve string) ([]byte, error) {
	wrong := dataError("the JWK lacks a member or has one that is not base64url")
	switch {
	case k.Kty == "oct":
		raw, err := base64.RawURLEncoding.DecodeString(k.K)
		if err != nil {
			return nil, wrong
		}
		return packed(secretKey, raw), nil
	case k.Kty == "RSA":
		return k.rsa(wrong)
	case name == "Ed25519":
		return k.edwards(wrong)
	}
	size := (curveOf(curve).Params().BitSize + 7) / 8
	x, errX := number(k.X)
	y, errY := number(k.Y)
	if errX != nil || errY != nil || len(x) != size || len(y) != size {
		return nil, wrong
	}
	point := append(append([]byte{4}, x...), y...)
	if _, err := importPoint(curve, point); err != nil {
		return nil, err
	}
	if k.D == "" {
		return packed(publicKey, point), nil
	}
	d, err := number(k.D)
	if err != nil || len(d) != size {
		return nil, wrong
	}
	private, err := ecdsa.ParseRawPrivateKey(curveOf(curve), d)
	if err != nil {
		return nil, dataError("the JWK's d is no key of " + curve)
	}
	if own, err := private.PublicKey.Bytes(); err != nil || string(own) != string(point) {
		return nil, dataError("the JWK's d does not belong to its x and y")
	}
	return packed(privateKey, d), nil
}

func (k jwk) edwards(wrong error) ([]byte, error) {
	x, err := number(k.X)
	if err != nil || len(x) != ed25519.PublicKeySize {
		return nil, wrong
	}
	if k.D == "" {
		return packed(publicKey, x), nil
	}
	d, err := number(k.D)
	if err != nil || len(d) != ed25519.SeedSize {
		return nil, wrong
	}
	if string(ed25519.NewKeyFromSeed(d)[ed25519.SeedSize:]) != string(x) {
		return nil, dataError("the JWK's d does not belong to its x")
	}
	return packed(privateKey, d), nil
}

func (k jwk) rsa(wrong error) ([]byte, error) {
	n, errN := number(k.N)
	e, errE := number(k.E)
	if errN != nil || errE != nil || len(n) > maxModulus/8+1 || len(e) > 4 {
		return nil, wrong
	}
	public := rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	if public.N.Sign() == 0 || public.E < 2 {
		return nil, wrong
	}
	if k.D == "" {
		return packedRSA(publicKey, &public, x509.MarshalPKCS1PublicKey(&public))
	}
	private := rsa.PrivateKey{PublicKey: public}
	var parts [6]*big.Int
	for i, text := range []string{k.D, k.P, k.Q, k.DP, k.DQ, k.QI} {
		raw, err := number(text)
		if err != nil || len(raw) > maxModulus/8 {
			return nil, wrong
		}
		parts[i] = new(big.Int).SetBytes(raw)
	}
	private.D, private.Primes = parts[0], parts[1:3]
	if err := private.Validate(); err != nil {
		return nil, dataError("the JWK's numbers are no RSA key: " + err.Error())
	}
	private.Precompute()
	return packedRSA(privateKey, &public, x509.MarshalPKCS1PrivateKey(&private))
}
