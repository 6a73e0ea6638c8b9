// Events reach a caller that asks for text/event-stream while this still runs.
export default async (ctx) => {
  const from = ctx.toolCall?.params?.from ?? 3;
  for (let left = from; left > 0; left--) {
    ctx.emit('progress', { left, percent: Math.round((100 * (from - left)) / from) });
    ctx.log.info(`${left} left`);
  }
  ctx.emit('progress', { left: 0, percent: 100 });
  return { counted: from };
};
