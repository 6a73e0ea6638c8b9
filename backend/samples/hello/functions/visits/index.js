// Everything this function may touch is in manifest.json, under "permissions".
// Take "kv" away there, save, and run it again to see what happens.

export default async function handler(ctx) {
  const visitor = ctx.toolCall?.params?.visitor ?? 'someone';

  // Emitted events reach whoever is watching while the function still runs.
  ctx.emit('visit.started', { visitor });

  // Each function has a key-value store of its own. An absent key is undefined.
  const key = `visits/${visitor}`;
  const visits = ((await ctx.kv.get(key)) ?? 0) + 1;
  await ctx.kv.put(key, visits);

  // A secret is set in the console and never leaves the platform but through
  // this call. Until it is set, the value is undefined. Do not return or log it:
  // use it.
  const signature = await ctx.secrets.get('GREETING_SIGNATURE');
  if (signature == null) {
    ctx.log.warn('GREETING_SIGNATURE is not set; set it under Secrets and run again');
  }

  ctx.emit('visit.counted', { visitor, visits });
  ctx.log.info(`visit number ${visits}`, { visitor });
  return { visitor, visits, signed: signature != null };
}
