// What came from outside is escaped before it becomes part of a page. The
// security headers of a page are added by the platform.
const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export default async (ctx) => {
  const name = ctx.request.query.name || "stranger";
  return new Response(`<!doctype html><title>Hello</title><h1>Hello, ${escape(name)}</h1>`, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
};
