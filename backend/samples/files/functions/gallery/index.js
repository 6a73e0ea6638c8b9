const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export default async (ctx) => {
  const { cursor } = ctx.request.query;
  const { items, cursor: next } = await ctx.folders.pictures.list({ limit: 2, ...(cursor && { cursor }) });
  const list = items.map(({ name, size }) => `<li>${escape(name)} (${size} bytes)</li>`).join('');
  const more = next ? `<a href="?cursor=${encodeURIComponent(next)}">More</a>` : '';
  return new Response(`<!doctype html><title>Pictures</title><ul>${list}</ul>${more}`, { headers: { 'content-type': 'text/html; charset=utf-8' } });
};
