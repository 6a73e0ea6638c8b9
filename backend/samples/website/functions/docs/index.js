// One function for a whole part of the site: the path says which page is meant.
const pages = {
  start: ['Start', 'Open a folder, save a file, call it.'],
  prices: ['Prices', 'Trying costs nothing.'],
};

const page = (title, text, status = 200) =>
  new Response(`<!doctype html><title>${title}</title><h1>${title}</h1><p>${text}</p>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

export default async (ctx) => {
  const { page: name } = ctx.request.params;
  if (name === undefined) return { status: 302, headers: { location: 'docs/start' }, body: '' };
  if (Object.hasOwn(pages, name)) return page(...pages[name]);
  return page('Not here', 'There is no such page.', 404);
};
