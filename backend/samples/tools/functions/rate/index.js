export default async (ctx) => {
  const { currency, ttlSeconds = 600 } = ctx.toolCall.params;
  const known = await ctx.kv.get(`rate:${currency}`);
  if (known) return { ...known, cached: true };
  const response = await ctx.fetch(`https://api.example.com/rates/${currency}`);
  if (!response.ok) throw new Error(`the rates answered ${response.status}`);
  const { rate } = await response.json();
  await ctx.kv.put(`rate:${currency}`, { currency, rate }, { ttlSeconds });
  return { currency, rate, cached: false };
};
