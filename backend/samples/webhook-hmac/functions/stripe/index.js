// The signature covers the bytes as they were sent, so rawBody is checked and
// not what was parsed from it.
export default async (ctx) => {
  const { headers, rawBody } = ctx.request;
  const genuine = await ctx.portal.verifyHmac({
    algo: "sha256", secretBinding: "STRIPE_SECRET", payload: rawBody, expected: headers["stripe-signature"] ?? "",
  });
  if (!genuine) return { status: 400, body: { error: "bad signature" } };
  const event = JSON.parse(new TextDecoder().decode(rawBody));
  const first = await ctx.kv.putIfAbsent(`event:${event.id}`, 1, { ttlSeconds: 7 * 24 * 3600 });
  if (!first.won) return { received: true, duplicate: true };
  if (event.type === "payment_intent.succeeded") {
    const { id, amount, currency } = event.data.object;
    await ctx.kv.at("agent").put(`paid:${id}`, { amount, currency });
    await ctx.portal.notifyOwner({ title: "Payment received", body: `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}` });
  }
  return { received: true };
};
