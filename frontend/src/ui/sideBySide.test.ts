import { describe, expect, it } from 'vitest';
import { sideBySide } from './sideBySide';

describe('sideBySide', () => {
  it('puts changed lines beside each other', () =>
    expect(sideBySide('a\nb\nc', 'a\nx\nc')).toEqual([
      { kind: 'same', left: 'a', right: 'a' },
      { kind: 'changed', left: 'b', right: 'x' },
      { kind: 'same', left: 'c', right: 'c' },
    ]));
  it('leaves a place empty where only one side has a line', () => expect(sideBySide('a', 'a\nb')[1]).toEqual({ kind: 'changed', left: undefined, right: 'b' }));
  it('folds what is equal', () => {
    const text = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const rows = sideBySide(text.join('\n'), [...text.slice(0, 20), 'new', ...text.slice(21)].join('\n'));
    expect(rows).toHaveLength(9);
    expect(rows[0]).toEqual({ kind: 'gap', hidden: 17 });
    expect(rows.filter((r) => r.kind === 'changed')).toHaveLength(1);
  });
  it('is one gap for equal texts', () => expect(sideBySide('a\nb', 'a\nb')).toEqual([{ kind: 'gap', hidden: 2 }]));
});
