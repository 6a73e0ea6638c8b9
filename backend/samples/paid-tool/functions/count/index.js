// One cent for ten words. What is not used of the two cents goes back, and all
// of it when the work fails.
const CENT = 10_000_000n; // nanocredits; a credit is a dollar

export default async (ctx) => {
  const token = ctx.request.headers['x-payment'] ?? ctx.request.headers['x-payment-token'];
  if (!token) return { status: 402, body: { error: 'send a payment token in X-PAYMENT', price: '0.02' } };
  let lock;
  try {
    lock = await ctx.portal.payment.lock(token, 2n * CENT, 'count words');
  } catch (e) {
    return { status: 402, body: { error: e.message } };
  }
  try {
    const text = ctx.request.body?.text;
    if (typeof text !== 'string') throw new Error('text is missing');
    const words = text.split(/\s+/).filter(Boolean).length;
    await ctx.portal.payment.settle(lock.lockId, words > 10 ? 2n * CENT : CENT);
    return { words };
  } catch (e) {
    await ctx.portal.payment.release(lock.lockId);
    return { status: 400, body: { error: e.message } };
  }
};
