package webapi

import (
	stdaes "crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"math/big"

	"benchtop/backend/worker/sandbox"
)

// aes is one encryption or decryption.
type aes struct {
	c        *sandbox.Call
	decrypt  bool
	data     []byte
	iv, more []byte
	bits     int // of GCM's tag, or of CTR's counter
}

func (w aes) do(name string, key []byte) ([]byte, error) {
	block, err := stdaes.NewCipher(key)
	if err != nil {
		return nil, operationError("the key does not fit " + name)
	}
	switch name {
	case "AES-CBC":
		return w.cbc(block)
	case "AES-CTR":
		return w.ctr(block)
	}
	return w.gcm(block)
}

const blockSize = stdaes.BlockSize

func (w aes) cbc(block cipher.Block) ([]byte, error) {
	if w.decrypt {
		if len(w.data) == 0 || len(w.data)%blockSize != 0 {
			return nil, operationError("the data is not a whole number of AES blocks")
		}
		out := append([]byte{}, w.data...)
		mode := cipher.NewCBCDecrypter(block, w.iv)
		if err := w.blocks(mode, out); err != nil {
			return nil, err
		}
		return unpadded(out)
	}
	pad := blockSize - len(w.data)%blockSize
	out := make([]byte, len(w.data)+pad)
	copy(out, w.data)
	for i := len(w.data); i < len(out); i++ {
		out[i] = byte(pad)
	}
	return out, w.blocks(cipher.NewCBCEncrypter(block, w.iv), out)
}

// blocks runs a mode over data in place, a stretch at a time.
func (w aes) blocks(mode cipher.BlockMode, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), stretch)
		mode.CryptBlocks(data[:n], data[:n])
		data = data[n:]
		if err := w.c.Stopped(); err != nil {
			return err
		}
	}
	return nil
}

// unpadded takes PKCS #7 padding off, in a time that does not depend on it.
func unpadded(data []byte) ([]byte, error) {
	pad := int(data[len(data)-1])
	good := subtle.ConstantTimeLessOrEq(1, pad) & subtle.ConstantTimeLessOrEq(pad, blockSize)
	for i := 1; i <= blockSize; i++ {
		inside := subtle.ConstantTimeLessOrEq(i, pad)
		same := subtle.ConstantTimeByteEq(data[len(data)-i], byte(pad))
		good &= same | (inside ^ 1)
	}
	if good != 1 {
		return nil, operationError("the data cannot be decrypted with this key and iv")
	}
	return data[:len(data)-pad], nil
}

// ctr counts in the last w.bits bits of the counter block only; when they wrap,
// the rest stays as it is.
func (w aes) ctr(block cipher.Block) ([]byte, error) {
	count := new(big.Int).SetBytes(w.iv)
	size := new(big.Int).Lsh(big.NewInt(1), uint(w.bits))
	blocks := big.NewInt(int64((len(w.data) + blockSize - 1) / blockSize))
	if blocks.Cmp(size) > 0 {
		return nil, operationError("the data is longer than the counter can count")
	}
	low := new(big.Int).Mod(count, size)
	left := new(big.Int).Sub(size, low) // blocks until it wraps
	first := len(w.data)
	if left.Cmp(blocks) < 0 {
		first = int(left.Int64()) * blockSize
	}
	out := make([]byte, len(w.data))
	if err := w.stream(cipher.NewCTR(block, w.iv), out[:first], w.data[:first]); err != nil {
		return nil, err
	}
	if first < len(w.data) {
		start := new(big.Int).Sub(count, low).FillBytes(make([]byte, blockSize))
		if err := w.stream(cipher.NewCTR(block, start), out[first:], w.data[first:]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w aes) stream(s cipher.Stream, out, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), stretch)
		s.XORKeyStream(out[:n], data[:n])
		out, data = out[n:], data[n:]
		if err := w.c.Stopped(); err != nil {
			return err
		}
	}
	return nil
}

const fullTag = 16

func (w aes) gcm(block cipher.Block) ([]byte, error) {
	tag := w.bits / 8
	if len(w.iv) == 0 {
		return nil, operationError("AES-GCM: the iv is empty")
	}
	g, err := cipher.NewGCMWithNonceSize(block, len(w.iv))
	if err != nil {
		return nil, operationError("AES-GCM: " + err.Error())
	}
	if !w.decrypt {
		out := g.Seal(nil, w.iv, w.data, w.more)
		return out[:len(out)-fullTag+tag], nil
	}
	wrong := operationError("the data cannot be decrypted: key, iv, additionalData or tag do not fit")
	if len(w.data) < tag {
		return nil, operationError("the data is shorter than its tag")
	}
	if tag == fullTag {
		out, err := g.Open([]byte{}, w.iv, w.data, w.more)
		if err != nil {
			return nil, wrong
		}
		return out, nil
	}
	// The library checks whole tags only. Encrypting twice gives the plain bytes,
	// and then the tag that the data should have had.
	text, given := w.data[:len(w.data)-tag], w.data[len(w.data)-tag:]
	plain := g.Seal(nil, w.iv, text, w.more)[:len(text)]
	again := g.Seal(nil, w.iv, plain, w.more)
	if subtle.ConstantTimeCompare(again[len(text):len(text)+tag], given) != 1 {
		return nil, wrong
	}
	return plain, nil
}
