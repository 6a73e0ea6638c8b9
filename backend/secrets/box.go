package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// box seals with one key. Its id is made from the key, so a record of it shows
// whether a key is the right one without giving it away.
type box struct {
	id   string
	aead cipher.AEAD
}

const keyBytes = 32

func newBox(key []byte) (*box, error) {
	if len(key) != keyBytes {
		return nil, errors.New("the key is not 32 bytes long")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append([]byte("benchtop secrets key id\x00"), key...))
	return &box{id: hex.EncodeToString(sum[:8]), aead: aead}, nil
}

// seal fills in KeyID, a fresh Nonce and Ciphertext.
func (b *box) seal(s *Sealed, value string) {
	s.KeyID = b.id
	s.Nonce = make([]byte, b.aead.NonceSize())
	rand.Read(s.Nonce)
	s.Ciphertext = b.aead.Seal(nil, s.Nonce, []byte(value), s.place())
}

// open fails for a secret that was changed, or moved to another place.
func (b *box) open(s *Sealed) (string, error) {
	if s.KeyID != b.id {
		return "", unavailable("%s of %s is sealed by the key %s, but the key is %s. Set it anew", s.Binding, s.Function, s.KeyID, b.id)
	}
	if len(s.Nonce) != b.aead.NonceSize() {
		return "", unavailable("%s of %s is damaged. Set it anew", s.Binding, s.Function)
	}
	value, err := b.aead.Open(nil, s.Nonce, s.Ciphertext, s.place())
	if err != nil {
		return "", unavailable("%s of %s is damaged, or belongs to another function. Set it anew", s.Binding, s.Function)
	}
	return string(value), nil
}

// place is the associated data: agent, function and binding, each with its
// length, so that no two places read the same.
func (s *Sealed) place() []byte {
	var data []byte
	for _, part := range []string{s.AgentID, s.Function, s.Binding} {
		data = binary.AppendUvarint(data, uint64(len(part)))
		data = append(data, part...)
	}
	return data
}
