// kv with user_id is the visitor's own drawer. Asking for somebody else's is
// refused by the platform, not by this code.
const defaults = { theme: "light", language: "en" };

export default async (ctx) => {
  if (!ctx.auth.authenticated) return { status: 401, body: { error: "sign in first" } };
  // A page may ask for another visitor's with ?of=; the platform refuses it.
  const drawer = { user_id: ctx.request.query.of ?? ctx.auth.userId, key: "preferences" };
  if (ctx.request.method === "GET") return { ...defaults, ...(await ctx.kv.get(drawer)) };
  const { theme, language } = ctx.request.body ?? {};
  if (!["light", "dark"].includes(theme)) return { status: 400, body: { error: "theme is light or dark" } };
  const value = { ...defaults, theme, ...(language && { language }) };
  await ctx.kv.put({ ...drawer, value });
  return value;
};
