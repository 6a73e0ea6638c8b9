// Two customers may ask at the same moment: putIfAbsent lets one of them have
// the day.
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

export default async function handler(ctx) {
  const day = ctx.toolCall.params.day.toLowerCase();
  if (!DAYS.includes(day)) return { booked: false, message: `${day} is no working day.` };
  // What a tool emits, who streams the conversation sees while it runs.
  ctx.emit('checking', { day });
  const { won } = await ctx.kv.putIfAbsent(`day/${day}`, { by: ctx.toolCall.callId });
  if (!won) return { booked: false, message: `Somebody has ${day} already.` };
  return { booked: true, number: DAYS.indexOf(day) + 1, message: `You have ${day}. Your booking is number ${DAYS.indexOf(day) + 1}.` };
}
