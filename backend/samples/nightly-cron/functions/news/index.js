// putIfAbsent remembers what was seen, so that nothing is reported twice.
const field = (item, name) => item.match(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`))?.[1].trim() ?? "";

export default async (ctx) => {
  const response = await ctx.fetch("https://api.example.com/feed.xml");
  if (!response.ok) throw new Error(`the feed answered ${response.status}`);
  const items = [...(await response.text()).matchAll(/<item>([^]*?)<\/item>/g)].map(([, item]) => ({ id: field(item, "guid"), title: field(item, "title") }));
  const fresh = [];
  for (const item of items) {
    if ((await ctx.kv.putIfAbsent(`seen:${item.id}`, item.title)).won) fresh.push(item.title);
  }
  if (!fresh.length) return { idle: true };
  const { id } = await ctx.content.put({ data: fresh.map((title) => `- ${title}`).join("\n"), mimeType: "text/markdown", displayName: "digest.md" });
  return { fresh, digest: id };
};
