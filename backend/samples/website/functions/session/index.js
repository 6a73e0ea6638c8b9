export default async (ctx) => ({
  authenticated: ctx.auth.authenticated === true,
  user: ctx.auth.userId ?? null,
});
