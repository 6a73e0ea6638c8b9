import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyLabels, listKeys, matches, shortcuts, textKeys, worksWhileTyping, type KeyLike } from './shortcuts';

const press = (key: string, held: Partial<KeyLike> = {}): KeyLike => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('shortcuts', () => {
  it('uses no key twice', () => {
    const all = [...Object.values(shortcuts), ...listKeys].map((s) => s.keys.toLowerCase());
    expect(all.filter((k, i) => all.indexOf(k) !== i)).toEqual([]);
  });

  it('takes no key a browser keeps for itself', () => {
    const kept = ['Mod+W', 'Mod+T', 'Mod+N', 'Mod+Shift+N', 'Mod+Q', 'F5', 'F11', 'F12'];
    expect(Object.values(shortcuts).filter((s) => kept.includes(s.keys))).toEqual([]);
  });

  it('stand in the documentation, and no others', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../backend/docs/keyboard.md'), 'utf8');
    const written = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Key '));
    expect(written.sort()).toEqual([...Object.values(shortcuts), ...listKeys, ...textKeys].map((s) => `| ${keyLabels(s.keys, false).join('+')} | ${s.title} |`).sort());
  });
});

describe('matches', () => {
  it('takes Mod for Ctrl, and for Cmd on a Mac', () => {
    expect(matches('Mod+K', press('k', { ctrlKey: true }), false)).toBe(true);
    expect(matches('Mod+K', press('k', { metaKey: true }), false)).toBe(false);
    expect(matches('Mod+K', press('k', { metaKey: true }), true)).toBe(true);
    expect(matches('Mod+K', press('k', { ctrlKey: true }), true)).toBe(false);
  });

  it('minds what else is held', () => {
    expect(matches('Mod+K', press('K', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
    expect(matches('F8', press('F8', { shiftKey: true }), false)).toBe(false);
    expect(matches('Mod+Enter', press('Enter', { ctrlKey: true }), false)).toBe(true);
    expect(matches('Mod+Enter', press('Enter'), false)).toBe(false);
  });

  it('finds signs wherever the keyboard has them', () => {
    expect(matches('?', press('?', { shiftKey: true }), false)).toBe(true);
    expect(matches('?', press('?'), false)).toBe(true);
    expect(matches('/', press('/', { shiftKey: true }), false)).toBe(true);
  });

  it('knows a letter that Alt turned into another character', () => {
    expect(matches('Mod+Alt+N', press('˜', { metaKey: true, altKey: true, code: 'KeyN' }), true)).toBe(true);
  });
});

describe('worksWhileTyping', () => {
  it('lets typing be typing', () => {
    expect(['Mod+S', 'F8', '?', '/'].map(worksWhileTyping)).toEqual([true, true, false, false]);
  });
});

describe('keyLabels', () => {
  it('writes keys as the system does', () => {
    expect(keyLabels('Mod+Enter', true)).toEqual(['⌘', '⏎']);
    expect(keyLabels('Mod+Enter', false)).toEqual(['Ctrl', 'Enter']);
  });
});
