export default async (ctx) => {
  const { state, code, error } = ctx.request.query;
  if (error) return { status: 400, body: { error: `the service said ${error}` } };
  const states = ctx.kv.at('agent');
  const known = state ? await states.get(`state:${state}`) : undefined;
  if (!known || !code) return { status: 400, body: { error: 'this sign-in is not one that was started here' } };
  await states.delete(`state:${state}`);
  const [id, secret] = await Promise.all([ctx.secrets.get('CLIENT_ID'), ctx.secrets.get('CLIENT_SECRET')]);
  const response = await ctx.fetch('https://api.example.com/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: known.redirect, client_id: id, client_secret: secret }).toString(),
  });
  if (!response.ok) return { status: 502, body: { error: `the service answered ${response.status}` } };
  const { access_token, expires_in = 3600 } = await response.json();
  await states.put(`token:${known.by ?? 'nobody'}`, access_token, { ttlSeconds: expires_in });
  return { status: 302, headers: { location: '/' }, body: '' };
};
