// A visitor's name and picture are there because the manifest asks for them.
// The address of their mail is not: it was not asked for.
const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export default async (ctx) => {
  const { authenticated, profile } = ctx.auth;
  const name = authenticated ? (profile?.displayName ?? 'visitor') : 'stranger';
  const more = authenticated ? '<a href="logout">Sign out</a>' : '<a href="signin">Sign in</a>';
  return new Response(`<!doctype html><title>You</title><h1>Hello, ${escape(name)}</h1>${more}`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
};
