// Reads what other functions kept for the whole agent under "paid:".
export default async (ctx) => {
  // Replayed by hand with {}, the report is of now.
  const at = new Date(ctx.schedule.plannedAt);
  const { items } = await ctx.kv.at("agent").list("paid:", { values: true });
  const total = items.reduce((sum, item) => sum + item.value.amount, 0);
  const lines = items.map((item) => `${item.key.slice("paid:".length)},${item.value.amount}`);
  const { id } = await ctx.content.put({
    data: ["payment,amount", ...lines, `total,${total}`].join("\n"), mimeType: "text/csv", displayName: `report-${at.toISOString().slice(0, 10)}.csv`,
  });
  await ctx.portal.notifyOwner({ title: "Daily report", body: `${items.length} payments, ${total} cents` });
  return { payments: items.length, total, by: ctx.source.skill, url: await ctx.portal.signContentUrl(id, { expiresInSeconds: 300 }) };
};
