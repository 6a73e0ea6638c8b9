// auth: session in AGENT.md lets only the owner come this far.
export default async (ctx) => ({ status: 200, headers: { "content-type": "text/html" }, body: `<p>Signed in as ${ctx.auth.userId}</p>` });
