package webapi

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"math/big"

	"benchtop/backend/worker/sandbox"
)

// sign signs data with a private (or, for HMAC, the secret) key.
func sign(c *sandbox.Call, name, hash, curve string, salt int, key, data []byte) ([]byte, error) {
	if name == "HMAC" {
		return mac(c, hash, key, data)
	}
	if name == "Ed25519" {
		return ed25519.Sign(ed25519.NewKeyFromSeed(key), data), nil
	}
	sum, err := digest(c, hash, data)
	if err != nil {
		return nil, err
	}
	if name == "ECDSA" {
		return signEC(curve, key, sum)
	}
	private, err := rsaPrivate(key)
	if err != nil {
		return nil, err
	}
	var signature []byte
	switch {
	case name == "RSASSA-PKCS1-v1_5":
		signature, err = rsa.SignPKCS1v15(nil, private, hashOf(hash), sum)
	case salt == 0:
		signature, err = signUnsalted(private, hashOf(hash), sum)
	default:
		signature, err = rsa.SignPSS(rand.Reader, private, hashOf(hash), sum, &rsa.PSSOptions{SaltLength: salt})
	}
	if err != nil {
		return nil, operationError(name + ": " + err.Error())
	}
	return signature, nil
}

// verify checks a signature other than HMAC's. What is no signature at all is
// a wrong one.
func verify(c *sandbox.Call, name, hash, curve string, salt int, key, data, signature []byte) (bool, error) {
	if name == "Ed25519" {
		return ed25519.Verify(key, data, signature), nil
	}
	sum, err := digest(c, hash, data)
	if err != nil {
		return false, err
	}
	if name == "ECDSA" {
		return verifyEC(curve, key, sum, signature)
	}
	public, err := rsaPublic(key)
	if err != nil {
		return false, err
	}
	switch {
	case name == "RSASSA-PKCS1-v1_5":
		return rsa.VerifyPKCS1v15(public, hashOf(hash), sum, signature) == nil, nil
	case salt == 0:
		return verifyUnsalted(public, hashOf(hash), sum, signature), nil
	}
	return rsa.VerifyPSS(public, hashOf(hash), sum, signature, &rsa.PSSOptions{SaltLength: salt}) == nil, nil
}

// signEC gives r and s side by side, each as long as the curve's order.
func signEC(curve string, key, sum []byte) ([]byte, error) {
	of := curveOf(curve)
	private, err := ecdsa.ParseRawPrivateKey(of, key)
	if err != nil {
		return nil, operationError("ECDSA: " + err.Error())
	}
	r, s, err := ecdsa.Sign(rand.Reader, private, sum)
	if err != nil {
		return nil, operationError("ECDSA: " + err.Error())
	}
	size := (of.Params().N.BitLen() + 7) / 8
	out := make([]byte, 2*size)
	r.FillBytes(out[:size])
	s.FillBytes(out[size:])
	return out, nil
}

func verifyEC(curve string, key, sum, signature []byte) (bool, error) {
	of := curveOf(curve)
	public, err := ecdsa.ParseUncompressedPublicKey(of, key)
	if err != nil {
		return false, operationError("ECDSA: " + err.Error())
	}
	size := (of.Params().N.BitLen() + 7) / 8
	if len(signature) != 2*size {
		return false, nil
	}
	r, s := new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:])
	return ecdsa.Verify(public, sum, r, s), nil
}
