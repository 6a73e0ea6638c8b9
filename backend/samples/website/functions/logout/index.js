// An agent sets cookies under its own prefix and no other.
export default async (ctx) => {
  await ctx.kv.delete(`seen/${ctx.auth.userId ?? 'nobody'}`);
  return {
    status: 302,
    headers: { location: '/', 'set-cookie': `agt_${ctx.metadata.agentId}_theme=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax` },
    body: '',
  };
};
