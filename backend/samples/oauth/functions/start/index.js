// The state comes back with the visitor. It is kept for ten minutes, for both
// functions of this agent (scope "agent").
export default async (ctx) => {
  const client = await ctx.secrets.get('CLIENT_ID');
  if (!client) return { status: 503, body: { error: 'CLIENT_ID is not set; set it under Secrets' } };
  const state = crypto.randomUUID();
  const redirect = new URL('callback', ctx.request.url).href;
  await ctx.kv.at('agent').put(`state:${state}`, { redirect, by: ctx.auth.userId ?? null }, { ttlSeconds: 600 });
  const to = new URL('https://api.example.com/authorize');
  to.search = new URLSearchParams({ client_id: client, redirect_uri: redirect, response_type: 'code', scope: 'calendar.read', state }).toString();
  return { status: 302, headers: { location: to.href }, body: '' };
};
