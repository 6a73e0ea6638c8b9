// The answer is { status, headers, body } where the status matters, and just a
// value where it is 200.
export default async (ctx) => {
  const { method, params, body } = ctx.request;
  const key = `item:${params.id}`;
  switch (method) {
    case "GET": {
      if (!params.id) {
        const { items } = await ctx.kv.list("item:", { values: true });
        return { items: items.map((item) => item.value) };
      }
      const item = await ctx.kv.get(key);
      return item ?? { status: 404, body: { error: `no item ${params.id}` } };
    }
    case "POST": {
      if (typeof body?.title !== "string") return { status: 400, body: { error: "title is missing" } };
      const item = { id: crypto.randomUUID(), title: body.title };
      await ctx.kv.put(`item:${item.id}`, item);
      return { status: 201, headers: { location: `items/${item.id}` }, body: item };
    }
    case "DELETE":
      await ctx.kv.delete(key);
      return { status: 204, body: "" };
  }
  return { status: 405, headers: { allow: "GET, POST, DELETE" }, body: { error: `${method} is not for items` } };
};
