const text = (value) => new TextEncoder().encode(value);
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_");

export default async (ctx) => {
  const pem = await ctx.secrets.get("SIGNING_KEY");
  const der = Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, "")), (c) => c.charCodeAt(0));
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: ctx.toolCall.params.subject, iss: "tools", iat: now, exp: now + 300 };
  const signed = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => base64url(text(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(algorithm, key, text(signed));
  return { jwt: `${signed}.${base64url(new Uint8Array(signature))}` };
};
