package webapi

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"encoding/binary"
	"math/big"
)

// maxModulus bounds what one operation may cost.
const maxModulus = 8192

func rsaPrivate(key []byte) (*rsa.PrivateKey, error) {
	k, err := x509.ParsePKCS1PrivateKey(key)
	if err != nil {
		return nil, operationError("the RSA key cannot be used: " + err.Error())
	}
	return k, nil
}

func rsaPublic(key []byte) (*rsa.PublicKey, error) {
	k, err := x509.ParsePKCS1PublicKey(key)
	if err != nil {
		return nil, operationError("the RSA key cannot be used: " + err.Error())
	}
	return k, nil
}

// oaep encrypts with a public key or decrypts with a private one.
func oaep(decrypt bool, hash string, key, data, label []byte) ([]byte, error) {
	if decrypt {
		private, err := rsaPrivate(key)
		if err != nil {
			return nil, err
		}
		out, err := rsa.DecryptOAEP(hashOf(hash).New(), nil, private, data, label)
		if err != nil {
			return nil, operationError("the data cannot be decrypted with this key")
		}
		return append([]byte{}, out...), nil
	}
	public, err := rsaPublic(key)
	if err != nil {
		return nil, err
	}
	out, err := rsa.EncryptOAEP(hashOf(hash).New(), rand.Reader, public, data, label)
	if err != nil {
		return nil, operationError("RSA-OAEP: " + err.Error())
	}
	return out, nil
}

// The library takes a salt length of 0 for "any". RFC 8017 has PSS without a
// salt, and so has Web Crypto; it is EMSA-PSS with sLen 0, written out here.

// unsalted is the encoded message, emBits long.
func unsalted(h crypto.Hash, sum []byte, emBits int) ([]byte, bool) {
	size := (emBits + 7) / 8
	if size < h.Size()+2 {
		return nil, false
	}
	w := h.New()
	w.Write(make([]byte, 8))
	w.Write(sum)
	digest := w.Sum(nil)
	em := make([]byte, size)
	db := em[:size-len(digest)-1]
	db[len(db)-1] = 1
	mask(h, digest, db)
	db[0] &= 0xFF >> (8*size - emBits)
	copy(em[len(db):], digest)
	em[size-1] = 0xBC
	return em, true
}

// mask is MGF1 over seed, applied to out.
func mask(h crypto.Hash, seed, out []byte) {
	var count [4]byte
	for i := uint32(0); len(out) > 0; i++ {
		binary.BigEndian.PutUint32(count[:], i)
		w := h.New()
		w.Write(seed)
		w.Write(count[:])
		n := subtle.XORBytes(out, out, w.Sum(nil))
		out = out[n:]
	}
}

func signUnsalted(k *rsa.PrivateKey, h crypto.Hash, sum []byte) ([]byte, error) {
	em, ok := unsalted(h, sum, k.N.BitLen()-1)
	if !ok {
		return nil, rsa.ErrMessageTooLong
	}
	// Blinded, because big.Int takes a time that depends on its numbers.
	r, err := rand.Int(rand.Reader, k.N)
	if err != nil {
		return nil, err
	}
	back := new(big.Int).ModInverse(r, k.N)
	if back == nil {
		return signUnsalted(k, h, sum)
	}
	m := new(big.Int).SetBytes(em)
	m.Mul(m, new(big.Int).Exp(r, big.NewInt(int64(k.E)), k.N)).Mod(m, k.N)
	m.Exp(m, k.D, k.N)
	m.Mul(m, back).Mod(m, k.N)
	return m.FillBytes(make([]byte, k.Size())), nil
}

func verifyUnsalted(k *rsa.PublicKey, h crypto.Hash, sum, signature []byte) bool {
	em, ok := unsalted(h, sum, k.N.BitLen()-1)
	s := new(big.Int).SetBytes(signature)
	if !ok || len(signature) != k.Size() || s.Cmp(k.N) >= 0 {
		return false
	}
	got := s.Exp(s, big.NewInt(int64(k.E)), k.N).FillBytes(make([]byte, k.Size()))
	return bytes.Equal(got[len(got)-len(em):], em) && (len(got) == len(em) || got[0] == 0)
}
