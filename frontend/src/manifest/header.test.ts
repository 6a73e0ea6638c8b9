import { expect, it } from 'vitest';
import { allow } from './edit';
import { editHeader, headerOf } from './header';

it.each([
  ['/* @robutler-function\n{ "runtime": "js-v1", "permissions": {} }\n*/\nexport default 1;\n', '/* @robutler-function\n{ "runtime": "js-v1", "permissions": { "kv": "ro" } }\n*/\nexport default 1;\n'],
  ['/* @robutler-function {"runtime":"js-v1"} */ x', '/* @robutler-function {"runtime":"js-v1","permissions":{"kv":"ro"}} */ x'],
  [
    '#!/usr/bin/env node\n// of mine\n/* and a word */\n"use strict";\n/**\n * @robutler-function\n * {\n *   "runtime": "js-v1",\n *   "permissions": {\n *     "fetch": ["https://a.example/*"]\n *   }\n * }\n */\nx',
    '#!/usr/bin/env node\n// of mine\n/* and a word */\n"use strict";\n/**\n * @robutler-function\n * {\n *   "runtime": "js-v1",\n *   "permissions": {\n *     "fetch": ["https://a.example/*"],\n *     "kv": "ro"\n *   }\n * }\n */\nx',
  ],
])('a header that is JSON is edited where it stands: %s', (source, want) => {
  expect(headerOf(source)?.runtime).toBe('js-v1');
  expect(editHeader(source, [allow.kv('ro')])).toBe(want);
});

it.each([
  '/* @robutler-function\n@runtime js-v1\n*/',
  '/* @robutler-function\nruntime: js-v1\n*/',
  'const a = 1; /* @robutler-function {} */',
  '/* @robutler-functions {} */',
  '/* @robutler-function { */',
  'nothing',
])('another one is left to its author: %s', (source) => {
  expect(headerOf(source)).toBeUndefined();
  expect(editHeader(source, [allow.kv('ro')])).toBeUndefined();
});
