// What Slack signs begins with the time; an old message is refused.
export default async (ctx) => {
  const { headers, rawBody } = ctx.request;
  const text = new TextDecoder().decode(rawBody);
  const genuine = await ctx.portal.verifyHmac({
    algo: "sha256", secretBinding: "SLACK_SECRET", expected: headers["x-slack-signature"] ?? "",
    payload: `v0:${headers["x-slack-request-timestamp"]}:${text}`,
  });
  if (!genuine) return { status: 401, body: "bad signature" };
  if (headers["content-type"].startsWith("application/json")) {
    const event = JSON.parse(text);
    return event.type === "url_verification" ? event.challenge : { status: 202 };
  }
  const form = new URLSearchParams(text);
  return { response_type: "ephemeral", text: `${form.get("command")} for ${form.get("user_name")}: ${form.get("text")}` };
};
