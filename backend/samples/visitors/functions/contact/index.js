// The form carries a token that is kept on this side too and used once, so that
// another site's page cannot send a letter in a visitor's name.
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

export default async (ctx) => {
  if (!ctx.auth.authenticated) return { status: 401, body: { error: 'sign in first' } };
  const drawer = { user_id: ctx.auth.userId, key: 'form' };
  if (ctx.request.method === 'POST') {
    const form = new URLSearchParams(ctx.request.body);
    const expected = await ctx.kv.get(drawer);
    await ctx.kv.delete(drawer);
    if (!expected || form.get('token') !== expected) return { status: 403, body: { error: 'this form is old; load it again' } };
    const text = (form.get('text') ?? '').trim();
    if (text === '') return { status: 400, body: { error: 'text is missing' } };
    await ctx.portal.notifyOwner({ title: 'A letter', body: text.slice(0, 500) });
    return { sent: true };
  }
  const token = hex(crypto.getRandomValues(new Uint8Array(16)));
  await ctx.kv.put({ ...drawer, value: token, ttlSeconds: 3600 });
  return new Response(
    `<!doctype html><title>Contact</title><form method="post"><input type="hidden" name="token" value="${token}">` +
      '<textarea name="text" required></textarea><button>Send</button></form>',
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
};
