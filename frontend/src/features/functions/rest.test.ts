import { expect, it } from 'vitest';
import { links } from '../../api/links';
import { parsePlace } from '../../app/screens';
import { parseRest } from './FunctionsScreen';

/** What the workbench makes of an address that links made, once the router has undone its escapes. */
const seen = (link: string) => parseRest(parsePlace(decodeURI(link))?.rest ?? '');

it('finds functions and modules by their addresses', () => {
  expect(seen(links.function('mia', 'greet')).name).toBe('greet');
  expect(seen(links.function('mia', 'endpoints/a b%2F.js')).name).toBe('endpoints/a b%2F.js');
  expect(seen(links.line('mia', 'endpoints/users.js', 3, 7))).toMatchObject({ name: 'endpoints/users.js', place: { line: 3, column: 7 } });
  expect(parseRest('50%/call/5%')).toMatchObject({ name: '50%', wish: { call: '5%' } });
  expect(seen(links.line('mia', 'greet', 2, 1, 'manifest')).place).toEqual({ line: 2, column: 1, part: 'manifest' });
  expect(seen(links.version('mia', 'greet', 2))).toMatchObject({ name: 'greet', version: 2, place: undefined, wish: undefined });
});
