package webapi

import (
	"crypto"
	"crypto/hmac"
	"hash"

	_ "crypto/sha1" // links the hashes that hashes names
	_ "crypto/sha256"
	_ "crypto/sha512"

	"benchtop/backend/worker/sandbox"
)

// hashOf knows the hashes of Web Crypto by their names; 0 for others.
func hashOf(name string) crypto.Hash {
	switch name {
	case "SHA-1":
		return crypto.SHA1
	case "SHA-256":
		return crypto.SHA256
	case "SHA-384":
		return crypto.SHA384
	case "SHA-512":
		return crypto.SHA512
	}
	return 0
}

// stretch is how many bytes an operation works on before it looks whether the
// run was stopped.
const stretch = 1 << 20

// feed hashes data.
func feed(c *sandbox.Call, h hash.Hash, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), stretch)
		h.Write(data[:n])
		data = data[n:]
		if err := c.Stopped(); err != nil {
			return err
		}
	}
	return nil
}

func digest(c *sandbox.Call, name string, data []byte) ([]byte, error) {
	h := hashOf(name).New()
	if err := feed(c, h, data); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

func mac(c *sandbox.Call, name string, key, data []byte) ([]byte, error) {
	h := hmac.New(hashOf(name).New, key)
	if err := feed(c, h, data); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
