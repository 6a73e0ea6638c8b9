// ctx.request, with the helpers that the documentation's samples call.
(function ($op, $module) {
  'use strict';
  const helpers = {
    async text() {
      if (this.rawBody) return new TextDecoder().decode(this.rawBody);
      const { body } = this;
      return typeof body === 'string' ? body : body === null || body === undefined ? '' : JSON.stringify(body);
    },
    async json() { return typeof this.body === 'object' && this.body !== null ? this.body : JSON.parse(await this.text()); },
    async arrayBuffer() { return this.rawBody ? this.rawBody.slice().buffer : new TextEncoder().encode(await this.text()).buffer; },
  };
  for (const name of Object.keys(helpers)) Object.defineProperty(helpers, name, { enumerable: false });
  const request = $op.request();
  if (typeof request === 'object' && request !== null) {
    if (typeof request.rawBodyB64 === 'string') request.rawBody = $module('core').bytes($op.fromBase64(request.rawBodyB64));
    if (request.bodyIsRaw) request.body = request.rawBody;
    delete request.rawBodyB64;
    delete request.bodyIsRaw;
    Object.setPrototypeOf(request, helpers);
  }
  return { request };
})
