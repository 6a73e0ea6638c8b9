// Methods of String.prototype: well-formed text, and the HTML methods of the
// standard's Annex B.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const textOf = value => {
    if (value === undefined || value === null) throw new TypeError('String.prototype method called on null or undefined');
    return `${value}`;
  };
  // alone finds the next half of a surrogate pair that stands alone, or -1.
  const alone = (text, from) => {
    for (let i = from; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c < 0xD800 || c > 0xDFFF) continue;
      const next = text.charCodeAt(i + 1);
      if (c > 0xDBFF || !(next >= 0xDC00 && next <= 0xDFFF)) return i;
      i++;
    }
    return -1;
  };
  const methods = {
    isWellFormed() { return alone(textOf(this), 0) < 0; },
    toWellFormed() {
      const text = textOf(this);
      const out = [];
      let from = 0;
      for (let at = alone(text, 0); at >= 0; at = alone(text, from)) {
        out.push(text.slice(from, at));
        from = at + 1;
      }
      out.push(text.slice(from));
      return out.join('\uFFFD');
    },
  };
  for (const [name, tag, attribute] of [['anchor', 'a', 'name'], ['big', 'big'], ['blink', 'blink'], ['bold', 'b'], ['fixed', 'tt'],
    ['fontcolor', 'font', 'color'], ['fontsize', 'font', 'size'], ['italics', 'i'], ['link', 'a', 'href'], ['small', 'small'],
    ['strike', 'strike'], ['sub', 'sub'], ['sup', 'sup']]) {
    methods[name] = attribute
      ? { [name](value) { return `<${tag} ${attribute}="${`${value}`.replace(/"/g, '&quot;')}">${textOf(this)}</${tag}>`; } }[name]
      : { [name]() { return `<${tag}>${textOf(this)}</${tag}>`; } }[name];
  }
  for (const name of Object.keys(methods)) {
    if (!(name in String.prototype)) hidden(String.prototype, name, methods[name]);
  }
  return {};
})
