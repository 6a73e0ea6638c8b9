// An address that came with the request may lead anywhere. Only paths of this
// site are followed, so that nobody can send visitors elsewhere through it.
const local = (target) => /^\/(?![\/\\])[^\x00-\x20\\]*$/.test(target ?? '') ? target : '/';

export default async (ctx) => ({
  status: 302,
  headers: { location: `/login?return_to=${encodeURIComponent(local(ctx.request.query.return_to))}` },
  body: '',
});
