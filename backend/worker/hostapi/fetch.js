// ctx.fetch and the global fetch: one function. What may be fetched is decided
// on the native side.
(function ($op, $module) {
  'use strict';
  async function fetch(input, init = {}) {
    const { Request, bytesIn, respond, extra } = $module('body');
    // The text as it was written is what gets checked, before the parser tidies
    // it up; it is read once, because it may be another the next time.
    const target = input instanceof Request ? input : `${input}`;
    if (target !== input || typeof input === 'string') $op.fetchCheck(target);
    const request = new Request(target, init === null ? {} : init);
    const { signal, redirect } = request;
    if (signal) signal.throwIfAborted();
    if (!['follow', 'error', 'manual'].includes(redirect)) throw new TypeError(`redirect is follow, error or manual, not "${redirect}"`);
    const { timeoutMs = 0, maxBytes = 0 } = extra(request);
    const headers = [];
    for (const [name, value] of request.headers) headers.push(name, value);
    const bytes = bytesIn(request);

    let id;
    const answer = $module('core').wait(
      () => (id = $op.fetchStart(request.method, request.url, headers, bytes === null ? undefined : bytes, +timeoutMs, +maxBytes, redirect)),
      (meta, body) => {
        const [status, statusText, url, redirected, ...pairs] = meta;
        const list = [];
        for (let i = 0; i < pairs.length; i += 2) list.push([pairs[i], pairs[i + 1]]);
        return respond(new Uint8Array(body), { status: +status, statusText, url, redirected: redirected === 'true', headers: list });
      });
    if (!signal) return answer;
    return new Promise((resolve, reject) => {
      const stop = () => { $op.fetchAbort(id); reject(signal.reason); };
      signal.addEventListener('abort', stop);
      answer.then(resolve, e => reject(signal.aborted ? signal.reason : e)).finally(() => signal.removeEventListener('abort', stop));
    });
  }
  return { fetch };
})
