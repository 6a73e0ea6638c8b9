// auth: portal_token in AGENT.md let the caller in, with a token that this
// platform signed for an agent. Which agents may ask this is up to us.
const partners = ['hello', 'chat-agent', 'mia'];

export default async (ctx) => {
  const caller = await ctx.portal.lookupAgent(ctx.auth.agentId);
  if (!partners.includes(caller?.username)) return { status: 403, body: { error: `${caller?.username ?? 'you'} may not ask this` } };
  return { hello: caller.username, heard: ctx.request.body };
};
