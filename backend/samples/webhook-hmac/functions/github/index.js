// Set GITHUB_SECRET to what the webhook's settings say.
export default async (ctx) => {
  const { headers, rawBody, body } = ctx.request;
  const genuine = await ctx.portal.verifyHmac({
    algo: "sha256", secretBinding: "GITHUB_SECRET", payload: rawBody, expected: headers["x-hub-signature-256"] ?? "",
  });
  if (!genuine) return { status: 401, body: { error: "bad signature" } };
  switch (headers["x-github-event"]) {
    case "ping":
      return { pong: body.zen };
    case "push": {
      const branch = body.ref.replace("refs/heads/", "");
      await ctx.kv.put(`head:${branch}`, body.after);
      return { branch, commits: body.commits.length };
    }
  }
  return { status: 202, body: { ignored: headers["x-github-event"] } };
};
