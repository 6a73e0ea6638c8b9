import { describe, expect, it } from 'vitest';
import { links, runAt, runIdIn, unpacked } from '../api/links';
import { shortcuts } from '../ui/shortcuts';
import { parsePlace, screens } from './screens';
import { takeLoginCode } from './session';

describe('screens', () => {
  it('have the keys of the eight places, in order', () => {
    const order = ['home', 'functions', 'client', 'activity', 'schedules', 'payments', 'data', 'secrets'];
    const rail = screens.filter((s) => s.where === 'rail');
    expect(rail.map((s) => s.id)).toEqual(order.filter((id) => rail.some((s) => s.id === id)));
    for (const s of rail) {
      expect(s.command && shortcuts[s.command]).toMatchObject({ keys: `Mod+${order.indexOf(s.id) + 1}`, title: s.title });
    }
  });
});

describe('parsePlace', () => {
  it('reads what links write', () => {
    expect(parsePlace(links.home())?.screen.id).toBe('home');
    expect(parsePlace(links.place('mia', 'secrets'))).toMatchObject({ agent: 'mia', rest: '', screen: { id: 'secrets' } });
    expect(parsePlace(links.line('mia', 'greet', 3, 5))).toMatchObject({ agent: 'mia', rest: 'greet/at/3/5' });
  });
  it.each(['/nowhere', '/home', '/secrets', '/a/mia', '/a/mia/activity', '/a/mia/nothing', '/a//functions', '/a/mia/home'])('leads nowhere for %s', (path) => {
    expect(parsePlace(path)).toBeUndefined();
  });
  it('keeps a filter through what the router does to an address', () => {
    for (const query of ['fn:a/b dur:>500ms', '50% of x', 'code:"A B" #1 ?x=%41&y']) {
      const place = parsePlace(decodeURI(links.activity(query)));
      expect(place?.screen.id).toBe('activity');
      expect(unpacked(place?.rest ?? '')).toBe(query);
    }
  });
  it('knows a run, and no other address, by its own', () => {
    expect(runAt(links.run('0193-ab'))).toBe('0193-ab');
    expect(runAt(decodeURI(links.run('50%/x')))).toBe('50%/x');
    for (const path of ['/', '/runs', '/runs/', '/runs/a/b', links.activity('id:/runs/x'), links.replay('mia', 'greet', 'r')]) expect(runAt(path)).toBeUndefined();
  });
  it('finds the id of a run in what somebody pastes', () => {
    const id = '0193f0c2-7a1e-7000-8000-0123456789ab';
    for (const text of [id, ` ${id.toUpperCase()} `, `http://127.0.0.1:4780/#/runs/${id}`, `id:${id}`]) expect(runIdIn(text)).toBe(id);
    for (const text of ['', 'greet', `${id}0`, id.slice(1), `x${id}`]) expect(runIdIn(text)).toBeUndefined();
  });
  it('survives broken escapes', () => expect(parsePlace('/a/%E0%A4%A/functions')?.agent).toBe('%E0%A4%A'));
});

describe('takeLoginCode', () => {
  it('takes the code out of the address', () => {
    history.replaceState(null, '', '/#login=abc-123');
    expect(takeLoginCode()).toBe('abc-123');
    expect(location.hash).toBe('');
    expect(takeLoginCode()).toBeUndefined();
  });
  it('takes one that nobody made, for the platform to refuse', () => {
    history.replaceState(null, '', '/#login=%E0');
    expect(takeLoginCode()).toBe('%E0');
  });
  it('leaves other addresses alone', () => {
    history.replaceState(null, '', '/#/a/mia/functions');
    expect(takeLoginCode()).toBeUndefined();
    expect(location.hash).toBe('#/a/mia/functions');
  });
});
