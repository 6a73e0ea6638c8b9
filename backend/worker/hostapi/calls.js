// ctx.kv, ctx.secrets and the other namespaces, built from the table of host
// calls as they are touched.
(function ($op, $module, $lazy) {
  'use strict';
  const { wait, bytes, bytesOf, hidden } = $module('core');
  const { keys, hasOwn } = Object;
  const isObject = value => typeof value === 'object' && value !== null;

  // spread copies an options object. A user_id that is there and undefined, as
  // that of an anonymous visitor may be, must not read like none at all.
  const spread = (args, options) => {
    if (!isObject(options)) return;
    for (const key of keys(options)) args[key] = key === 'user_id' && options[key] === undefined ? null : options[key];
  };

  // How most calls become args: by the names of their parameters.
  const named = ({ params }, values) => {
    const args = {};
    const last = params.length - 1;
    const count = last >= 0 && params[last].startsWith('...') ? last : last + 1;
    if (count === last) spread(args, values[last]);
    for (let i = 0; i < count; i++) args[params[i]] = values[i];
    return args;
  };

  // kv.put({key, value, user_id, scope, ttlSeconds}); the value may also come
  // second.
  const objectForm = ({ params }, values) => {
    const args = {};
    const [object, ...more] = values;
    const value = params.includes('value') && !hasOwn(object, 'value');
    spread(args, more[value ? 1 : 0]);
    spread(args, object);
    if (value) args.value = more[0];
    return args;
  };

  // A long text travels as base64, which has no escapes and so a length that is
  // known.
  const long = 1 << 20;
  const bodyOf = (member, data) => {
    if (typeof data === 'string') return data.length > long ? bodyOf(member, $op.utf8Encode(data)) : { kind: 'utf8', data };
    if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return { kind: 'base64', data: $op.toBase64(bytesOf(data)) };
    throw new TypeError(`${member}: the data is a text, an ArrayBuffer or a view of one; JSON.stringify makes a text of other values`);
  };

  // content.put({data, id, mimeType, displayName}) or ({kind, data, meta}).
  const itemForm = (_, [item]) => {
    if (!isObject(item)) throw new TypeError('ctx.content.put takes an object: {data, id, mimeType, displayName}');
    const { id, kind, data, meta } = item;
    const { mimeType, displayName } = { ...(isObject(meta) ? meta : {}), ...item };
    if (kind !== undefined && kind !== 'utf8' && kind !== 'base64') throw new TypeError(`ctx.content.put: kind is "utf8" or "base64", not ${String(kind)}`);
    const body = kind === 'base64' && typeof data === 'string' ? { kind, data } : bodyOf('ctx.content.put', data);
    return { id, body, mimeType, displayName };
  };

  // What content.get and folders[binding].read give; the bytes stay out of a
  // result that is written as JSON.
  const opened = label => found => {
    if (!isObject(found)) return null;
    const { body, displayName, ...seen } = found;
    const raw = bytes(body.kind === 'utf8' ? $op.utf8Encode(body.data) : $op.fromBase64(body.data));
    const out = { id: seen.id, mimeType: seen.mimeType, [label]: displayName, size: seen.size };
    hidden(out, 'arrayBuffer', async () => raw.slice().buffer);
    return out;
  };

  // Bytes travel as base64, not as an object of numbers.
  const hmacForm = (row, [options]) => {
    const args = {};
    spread(args, options);
    const { payload } = args;
    if (payload instanceof ArrayBuffer || ArrayBuffer.isView(payload)) args.payload = bodyOf('ctx.portal.verifyHmac', payload);
    return args;
  };

  // Amounts are whole nanocents, which a number holds up to 2^53 and a BigInt
  // always; they travel as their digits.
  const digits = (member, amount) => {
    if (typeof amount === 'bigint' || Number.isSafeInteger(amount)) return `${amount}`;
    if (typeof amount === 'string' && /^[0-9]+$/.test(amount)) return amount;
    const hint = typeof amount === 'number' && !Number.isInteger(amount) ? ' (amounts are nanocents, not dollars)' : '';
    throw new TypeError(`${member}: the amount is a BigInt, a whole number below 2^53 or a text of digits${hint}`);
  };
  const amountForm = (row, values) => {
    const args = named(row, values);
    args.amountNanocents = digits(`ctx.${row.wire}`, args.amountNanocents);
    return args;
  };

  const tokenForm = (row, values) => {
    const args = named(row, values);
    const { opts } = args;
    if (isObject(opts) && typeof opts.expectBalance === 'bigint') args.opts = { ...opts, expectBalance: `${opts.expectBalance}` };
    return args;
  };

  const shapes = {
    'portal.payment.lock': amountForm,
    'portal.payment.settle': amountForm,
    'portal.verifyToken': tokenForm,
    'content.write': itemForm,
    'folders.write': (row, [name, body]) => ({ name, body: bodyOf('ctx.folders[binding].write', body) }),
    'portal.verifyHmac': hmacForm,
  };

  // The methods of ctx.portal travel in one envelope.
  const send = (wire, args) => wire.startsWith('portal.')
    ? $op.hostCall('portal.dispatch', $op.json({ method: wire.slice(7), args }))
    : $op.hostCall(wire, $op.json(args));

  const results = { 'content.read': opened('displayName'), 'folders.read': opened('name') };

  const method = (row, fixed) => {
    const { name, wire } = row;
    return { [name](...values) {
      const kv = wire.startsWith('kv.') && isObject(values[0]);
      const args = (shapes[wire] || (kv ? objectForm : named))(row, values);
      for (const key of keys(fixed)) args[key] = fixed[key];
      return wait(() => send(wire, args), results[wire]);
    } }[name];
  };

  // Reading a member that is not there says so, instead of "undefined is not a
  // function" one step later. What the language itself reads is let through.
  const silent = name => ['then', 'toJSON', 'constructor', 'prototype'].includes(name) || name in Object.prototype;
  const path = (space, { name, keyed }) => `ctx.${space}${keyed ? '[binding]' : ''}.${name}`;
  const missing = (space, rows, name) => {
    if (silent(name)) return undefined;
    const there = rows.length > 0 ? `ctx.${space} has ${rows.map(row => row.name).join(', ')}`
      : `host calls are ${$op.hostSpaces().map(ns => $op.hostRows(ns).map(row => path(ns, row)).join(', ')).join(', ')}`;
    throw new TypeError(`ctx.${space}.${name} is not available: ${there}`);
  };

  // What takes no host call: members beside the table, or instead of it.
  const beside = {
    fn: { list: () => $op.siblings() },
    kv: { at: scope => space('kv', $op.hostRows('kv'), { scope: `${scope}` }) },
  };

  // A name with a dot lies in a namespace inside.
  const first = ({ name }) => (name.includes('.') ? name.slice(0, name.indexOf('.')) : name);
  const inside = (rows, name) => rows.filter(row => row.name.startsWith(`${name}.`)).map(row => ({ ...row, name: row.name.slice(name.length + 1) }));

  const space = (ns, rows, fixed) => {
    const own = (keys(fixed).length === 0 && beside[ns]) || {};
    const names = [...new Set(rows.map(first))];
    return $lazy([...names, ...keys(own).filter(name => !names.includes(name))], name => {
      if (hasOwn(own, name)) return own[name];
      const deeper = inside(rows, name);
      if (deeper.length > 0) return space(`${ns}.${name}`, deeper, fixed);
      const row = rows.find(r => r.name === name);
      return row ? method(row, fixed) : missing(ns, rows, name);
    });
  };

  // A binding that does not exist is the platform's to refuse, with its code.
  const keyed = (ns, rows) => {
    const bound = $op.bindings();
    return $lazy(bound, name => (bound.includes(name) || !silent(name) ? space(`${ns}.${name}`, rows, { binding: name }) : undefined));
  };

  return $lazy(['secrets', 'kv', 'content', 'folders', 'fn', 'portal'], ns => {
    const rows = $op.hostRows(ns);
    return rows.some(row => row.keyed) ? keyed(ns, rows) : space(ns, rows, {});
  });
})
