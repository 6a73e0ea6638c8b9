// The partner's token lasts an hour; what is kept is always a young one.
export default async (ctx) => {
  const response = await ctx.fetch("https://api.example.com/token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: await ctx.secrets.get("REFRESH_TOKEN") }).toString(),
  });
  if (!response.ok) throw new Error(`the partner answered ${response.status}`);
  const { access_token, expires_in } = await response.json();
  ctx.log.info("fresh token", access_token);
  await ctx.secrets.put("ACCESS_TOKEN", access_token);
  return { expires_in, kept: (await ctx.secrets.get("ACCESS_TOKEN")) === access_token };
};
