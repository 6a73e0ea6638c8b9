package webapi_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// checks are the scripts that run a file of public vectors: each gives true for
// a row that passes. un and hex are there in all of them.
var checks = map[string]string{
	"digest": `hex(await subtle.digest(r.hash, un(r.data))) === r.sum`,
	"hmac": `await (async () => {
    const key = await subtle.importKey('raw', un(r.key), { name: 'HMAC', hash: r.hash }, false, ['sign', 'verify']);
    return hex(await subtle.sign('HMAC', key, un(r.data))) === r.mac && await subtle.verify('HMAC', key, un(r.mac), un(r.data));
  })()`,
	"aes": `await (async () => {
    const key = await subtle.importKey('raw', un(r.key), r.name, false, ['encrypt', 'decrypt']);
    const how = r.name === 'AES-CBC' ? { name: r.name, iv: un(r.iv) } : { name: r.name, counter: un(r.iv), length: 128 };
    const box = await subtle.encrypt(how, key, un(r.data));
    return hex(box).slice(0, r.box.length) === r.box && hex(await subtle.decrypt(how, key, box)) === r.data;
  })()`,
	"aes-gcm": `await (async () => {
    const key = await subtle.importKey('raw', un(r.key), 'AES-GCM', false, ['encrypt', 'decrypt']);
    const how = { name: 'AES-GCM', iv: un(r.iv), additionalData: un(r.more), tagLength: (r.box.length - r.data.length) * 4 };
    return hex(await subtle.encrypt(how, key, un(r.data))) === r.box && hex(await subtle.decrypt(how, key, un(r.box))) === r.data;
  })()`,
	"ecdsa": `await (async () => {
    const key = await subtle.importKey('raw', un(r.point), { name: 'ECDSA', namedCurve: r.curve }, true, ['verify']).catch(() => null);
    return (key !== null && await subtle.verify({ name: 'ECDSA', hash: r.hash }, key, un(r.sig), un(r.msg))) === r.ok;
  })()`,
	"ed25519": `await (async () => {
    const own = await subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: url(r.point), d: url(r.seed) }, 'Ed25519', false, ['sign']);
    const other = await subtle.importKey('raw', un(r.point), 'Ed25519', true, ['verify']);
    return hex(await subtle.sign('Ed25519', own, un(r.msg))) === r.sig && await subtle.verify('Ed25519', other, un(r.sig), un(r.msg));
  })()`,
	"rsa-pss": `await (async () => {
    const key = await subtle.importKey('jwk', { kty: 'RSA', n: url(r.n), e: url(r.e) }, { name: 'RSA-PSS', hash: 'SHA-1' }, true, ['verify']);
    return subtle.verify({ name: 'RSA-PSS', saltLength: r.saltLength }, key, un(r.sig), un(r.msg));
  })()`,
	"jws": `await (async () => {
    const key = await subtle.importKey('jwk', r.jwk, r.alg, true, ['verify']);
    const sig = Uint8Array.from([...atob(r.sig.replace(/-/g, '+').replace(/_/g, '/'))], c => c.charCodeAt(0));
    return subtle.verify(r.how || r.alg.name, key, sig, new TextEncoder().encode(r.data));
  })()`,
	"rsa-oaep": `await (async () => {
    const jwk = { kty: 'RSA' };
    for (const part of ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']) jwk[part] = url(r[part]);
    const key = await subtle.importKey('jwk', jwk, { name: 'RSA-OAEP', hash: 'SHA-1' }, false, ['decrypt']);
    return hex(await subtle.decrypt('RSA-OAEP', key, un(r.box))) === r.data;
  })()`,
}

const around = `const un = t => { const b = new Uint8Array(t.length / 2); for (let i = 0; i < b.length; i++) b[i] = parseInt(t.slice(2 * i, 2 * i + 2), 16); return b; };
const hex = b => { let out = ''; for (const x of new Uint8Array(b)) out += (x + 256).toString(16).slice(1); return out; };
const url = t => btoa(String.fromCharCode(...un(t))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
export default async ctx => {
  const { subtle } = crypto, wrong = [];
  for (const [i, r] of ctx.data.entries()) {
    let good = false, why = '';
    try { good = CHECK; } catch (e) { why = e.name + ': ' + e.message; }
    if (good !== true) wrong.push(i + ' ' + why);
  }
  return wrong;
};`

// TestCryptoVectors runs testdata/crypto, numbers of RFCs, NIST and RSA
// Laboratories (each file names its source), through crypto.subtle.
func TestCryptoVectors(t *testing.T) {
	f := factory(t)
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/crypto/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var data struct {
				Source string
				Rows   []json.RawMessage
			}
			if err := json.Unmarshal(text, &data); err != nil {
				t.Fatal(err)
			}
			wrong := run[[]string](t, f, strings.Replace(around, "CHECK", check, 1), data.Rows)
			for _, w := range wrong {
				t.Log("differs:", w)
			}
			rate(t, data.Source[:min(len(data.Source), 40)], len(data.Rows)-len(wrong), len(data.Rows), 100)
		})
	}
}
