// { idle: true } says that there was nothing to do, which costs less.
export default async (ctx) => {
  const after = (await ctx.kv.get('cursor')) ?? 0;
  const response = await ctx.fetch(`https://api.example.com/messages?after=${after}`, {
    headers: { authorization: `Bearer ${await ctx.secrets.get('API_KEY')}` },
  });
  if (!response.ok) throw new Error(`the messages answered ${response.status}`);
  const { messages } = await response.json();
  if (messages.length === 0) return { idle: true };
  for (const message of messages) ctx.emit('message', { id: message.id });
  await ctx.kv.put('cursor', Math.max(...messages.map((m) => m.id)));
  return { messages: messages.length };
};
