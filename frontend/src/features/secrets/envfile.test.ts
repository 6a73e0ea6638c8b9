import { describe, expect, it } from 'vitest';
import { parseEnv } from './envfile';

const read = (text: string) => Object.fromEntries(parseEnv(text).lines.map((l) => [l.name, l.value]));

describe('parseEnv', () => {
  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['A=1\nB=two words\n', { A: '1', B: 'two words' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['# comment\n\n  export KEY = abc  \n', { KEY: 'abc' }],
    ['A=x # comment', { A: 'x' }],
    ['A=x#y', { A: 'x#y' }],
    ['A=', { A: '' }],
    ['A= # nothing', { A: '' }],
    ['A=a=b==', { A: 'a=b==' }],
    ["A='single \\n # kept'", { A: 'single \\n # kept' }],
    ['A="line\\nnext \\"q\\" \\\\" # c', { A: 'line\nnext "q" \\' }],
    ['PEM="-----BEGIN\nabc\n-----END"\nB=2', { PEM: '-----BEGIN\nabc\n-----END', B: '2' }],
    ['A=1\nA=2', { A: '2' }],
    ['a.b-c=1', { 'a.b-c': '1' }],
  ])('reads %j', (text, want) => {
    const { problems } = parseEnv(text);
    expect(problems).toEqual([]);
    expect(read(text)).toEqual(want);
  });
  it.each([
    ['nonsense secret-value', 1],
    ['A=1\n=2', 2],
    ['A="1\n2"\n\nnot this', 4],
    ['1A=x', 1],
  ])('names the line of what it cannot read in %j, and not what is in it', (text, line) => {
    const { problems } = parseEnv(text);
    expect(problems[0]).toBe(`Line ${line} is not NAME=value.`);
    expect(problems.join()).not.toContain('secret');
  });
  it.each(['A=1\nB="open\nC=3', "A=1\nB='x' y"])('says of %j that a quote is at fault', (text) => expect(parseEnv(text).problems).toEqual(['Line 2 opens a quote that does not close, or has something behind it.']));
  it('goes on behind a line it cannot read', () => expect(read('oops\nA=1')).toEqual({ A: '1' }));
});
