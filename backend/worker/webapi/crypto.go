package webapi

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"

	"benchtop/backend/worker/sandbox"
)

// failure is what an operation of Web Crypto gives when it cannot do what it
// was asked: the name of a DOMException and its text, which the prelude throws.
type failure struct{ name, text string }

func (f *failure) Error() string { return f.name + ": " + f.text }

func dataError(text string) error      { return &failure{"DataError", text} }
func operationError(text string) error { return &failure{"OperationError", text} }

// settled makes an operation's answer: bytes or a truth value, or the text of a
// failure. Other errors (a run that was stopped) go on as they are.
func settled[T any](v T, err error) (any, error) {
	var f *failure
	if errors.As(err, &f) {
		return f.Error(), nil
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

var cryptoOps = []sandbox.Op{
	// randomFill(view) writes random bytes into a Uint8Array.
	{Name: "randomFill", Do: func(c *sandbox.Call) (any, error) {
		_, err := rand.Read(c.Memory(0))
		return nil, err
	}},
	// digest(hash, data) gives the hash's bytes.
	{Name: "digest", Do: func(c *sandbox.Call) (any, error) {
		return settled(digest(c, c.String(0), c.Memory(1)))
	}},
	// keyImport(format, algorithm, curve, data or JWK text) gives the key packed,
	// see packed.
	{Name: "keyImport", Do: func(c *sandbox.Call) (any, error) {
		return settled(importKey(c))
	}},
	// sign(algorithm, hash, curve, salt length, key, data) gives a signature.
	{Name: "sign", Do: func(c *sandbox.Call) (any, error) {
		return settled(sign(c, c.String(0), c.String(1), c.String(2), int(c.Int(3)), c.Memory(4), c.Memory(5)))
	}},
	// verify(algorithm, hash, curve, salt length, key, data, signature) says
	// whether it is one.
	{Name: "verify", Do: func(c *sandbox.Call) (any, error) {
		if c.String(0) == "HMAC" {
			sum, err := mac(c, c.String(1), c.Memory(4), c.Memory(5))
			return settled(subtle.ConstantTimeCompare(sum, c.Memory(6)) == 1, err)
		}
		return settled(verify(c, c.String(0), c.String(1), c.String(2), int(c.Int(3)), c.Memory(4), c.Memory(5), c.Memory(6)))
	}},
	// aes(algorithm, decrypt, key, data, iv or counter, additional data, bits of tag or counter)
	{Name: "aes", Do: func(c *sandbox.Call) (any, error) {
		work := aes{c: c, decrypt: c.Bool(1), data: c.Memory(3), iv: c.Memory(4), more: c.Memory(5), bits: int(c.Int(6))}
		return settled(work.do(c.String(0), c.Memory(2)))
	}},
	// oaep(decrypt, hash, key, data, label)
	{Name: "oaep", Do: func(c *sandbox.Call) (any, error) {
		return settled(oaep(c.Bool(0), c.String(1), c.Memory(2), c.Memory(3), c.Memory(4)))
	}},
}
