// What this platform signs, held against its published keys by a library that is
// not ours; and what must not pass.
import assert from 'node:assert/strict';
import { createRemoteJWKSet, decodeProtectedHeader, errors, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

export const project = {
  'AGENT.md': `---
name: mia
visibility: public
transports: [completions]
---
You are Mia.
`,
};

export default async function (t) {
  const keys = createRemoteJWKSet(new URL(`${t.url}/.well-known/jwks.json`));
  const verify = (token, more) => jwtVerify(token, keys, { issuer: t.url, algorithms: ['RS256'], ...more });

  await t.step('the keys: public ones for signatures, the same at both addresses', async () => {
    const [a, b] = await Promise.all(['/.well-known/jwks.json', '/api/auth/jwks'].map(async (p) => (await fetch(t.url + p)).json()));
    assert.deepEqual(a, b);
    for (const k of a.keys) {
      assert.deepEqual([k.kty, k.use, k.alg], ['RSA', 'sig', 'RS256']);
      assert.ok(k.kid && !k.d && !k.p);
    }
  });

  const { token } = await t.api('POST', '/api/local/payments/mint', { amount: 0.25, audience: 'mia', expiresIn: 600 });

  await t.step('a payment token: signature, issuer, audience, balance', async () => {
    const { payload, protectedHeader } = await verify(token, { audience: 'mia' });
    assert.equal(protectedHeader.alg, 'RS256');
    assert.ok(payload.jti && payload.sub && payload.iat);
    assert.equal(payload.payment.balance, 0.25);
    assert.equal(typeof payload.payment.max_depth, 'number');
    assert.ok(payload.exp - payload.iat <= 601, `${payload.iat} to ${payload.exp}`); // whole seconds, the end rounded up
  });

  await t.step('a portal token', async () => {
    const made = await t.api('POST', '/api/local/tokens', { scopes: ['invoke'] });
    const { payload } = await verify(made.token, { audience: t.url });
    assert.deepEqual(payload.scopes, ['invoke']);
  });

  await t.step('what must not pass does not: in the library and here', async () => {
    await assert.rejects(verify(token, { audience: 'somebody-else' }), errors.JWTClaimValidationFailed);
    await assert.rejects(verify(token, { issuer: 'http://other.example' }), errors.JWTClaimValidationFailed);
    await assert.rejects(verify(token, { currentDate: new Date(Date.now() + 3600_000) }), errors.JWTExpired);
    const [head, body, sig] = token.split('.');
    const richer = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url')), payment: { balance: 1e6 } })).toString('base64url');
    await assert.rejects(verify(`${head}.${richer}.${sig}`), errors.JWSSignatureVerificationFailed);

    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const claims = JSON.parse(Buffer.from(body, 'base64url'));
    const kid = decodeProtectedHeader(token).kid;
    const forged = [
      `${head}.${richer}.${sig}`,
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) }).sign(privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(JSON.stringify(await (await fetch(`${t.url}/.well-known/jwks.json`)).json()))),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
    ];
    assert.equal((await t.api('POST', '/api/payments/verify', { token })).valid, true);
    for (const f of forged) {
      await assert.rejects(verify(f));
      const answer = await t.api('POST', '/api/payments/verify', { token: f });
      assert.equal(answer.valid, false, f);
      assert.ok(answer.invalidReason);
    }
  });
}
