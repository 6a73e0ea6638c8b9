// Twilio signs the address and the sorted fields with SHA-1.
const bytes = (text) => new TextEncoder().encode(text);
const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const genuine = async (key, text, signature) => {
  const hmac = { name: 'HMAC', hash: 'SHA-1' };
  const imported = await crypto.subtle.importKey('raw', bytes(key), hmac, false, ['verify']);
  let given;
  try {
    given = Uint8Array.from(atob(signature), (c) => c.charCodeAt(0));
  } catch {
    return false;
  }
  return crypto.subtle.verify('HMAC', imported, given, bytes(text));
};

export default async (ctx) => {
  const { headers, body, url } = ctx.request;
  const form = new URLSearchParams(body);
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join('')).join('');
  const token = await ctx.secrets.get('TWILIO_TOKEN');
  if (!token || !(await genuine(token, url + fields, headers['x-twilio-signature'] ?? ''))) return { status: 403, body: 'bad signature' };
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?><Response><Message>You said: ${escape(form.get('Body') ?? '')}</Message></Response>`,
  };
};
