import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Drafts } from './edit';
import { SchemaForm } from './SchemaForm';

let now: { value: unknown; drafts: Drafts };

function Host({ schema, start }: { schema: unknown; start: unknown }) {
  const [state, setState] = useState<{ value: unknown; drafts: Drafts }>({ value: start, drafts: {} });
  now = state;
  return (
    <MantineProvider env="test">
      <SchemaForm schema={schema} label="Arguments" value={state.value} drafts={state.drafts} onChange={(value, drafts) => setState({ value, drafts })} />
    </MantineProvider>
  );
}

const show = (properties: Record<string, unknown>, start: unknown, more: object = {}) => render(<Host schema={{ type: 'object', properties, ...more }} start={start} />);
const type = (label: string, text: string) => fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

// The test's document has no fonts, whose loading growing fields listen to.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(cleanup);

describe('SchemaForm', () => {
  it('edits nested objects', () => {
    show({ who: { type: 'object', properties: { city: { type: 'string' } } } }, { who: { city: 'Rome' }, keep: 1 });
    type('city', 'Paris');
    expect(now.value).toEqual({ who: { city: 'Paris' }, keep: 1 });
  });

  it('adds and removes items, and their drafts move with them', () => {
    show({ n: { type: 'array', items: { type: 'integer' } } }, { n: [1, 2] });
    type('n 2', '2x');
    expect(now.drafts['/n/1']?.text).toBe('2x');
    expect(now.value).toEqual({ n: [1, 2] });
    click('Remove n 1');
    expect(now.value).toEqual({ n: [2] });
    expect(now.drafts['/n/0']?.text).toBe('2x');
    type('n 1', '25');
    expect(now).toEqual({ value: { n: [25] }, drafts: {} });
    click('Add to n');
    expect(now.value).toEqual({ n: [25, 0] });
  });

  it('keeps a text that is no number, and digits as they are typed', () => {
    show({ n: { type: 'number' } }, { n: 1 });
    type('n', '1.');
    expect((screen.getByLabelText('n') as HTMLInputElement).value).toBe('1.');
    type('n', '1.50');
    expect((screen.getByLabelText('n') as HTMLInputElement).value).toBe('1.50');
    expect(now.value).toEqual({ n: 1.5 });
    type('n', '12345678901234567890');
    expect(now.drafts['/n']?.text).toBe('12345678901234567890');
  });

  it('shows what does not fit instead of dropping it', () => {
    show({ n: { type: 'string' } }, { n: { odd: true }, extra: [1] }, { additionalProperties: false });
    expect((screen.getByLabelText('n') as HTMLTextAreaElement).value).toContain('odd');
    expect((screen.getByLabelText('extra (not in the schema)') as HTMLTextAreaElement).value).toContain('1');
    type('n', '{"odd": ');
    expect(now.value).toEqual({ n: { odd: true }, extra: [1] });
    expect(now.drafts['/n']?.text).toBe('{"odd": ');
  });

  it('leaves out, gives and takes null', () => {
    show({ a: { type: ['string', 'null'] } }, { a: 'x' });
    click('Make a null');
    expect(now.value).toEqual({ a: null });
    click('Give a a value');
    expect(now.value).toEqual({ a: '' });
    click('Leave out a');
    expect(now.value).toEqual({});
  });

  it('has null among several ways', () => {
    show({ a: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } }, { a: null });
    expect((screen.getByRole('combobox', { name: 'a: kind' }) as HTMLInputElement).value).toBe('null');
  });

  it('gives a number for a null that is its default', () => {
    show({ a: { type: ['integer', 'null'], default: null } }, { a: null });
    click('Give a a value');
    expect(now.value).toEqual({ a: 0 });
  });

  it('ends a tuple where its schema does', () => {
    show({ p: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } }, { p: [1] });
    click('Add to p');
    expect(now.value).toEqual({ p: [1, ''] });
    expect((screen.getByRole('button', { name: 'Add to p' }) as HTMLButtonElement).disabled).toBe(true);
  });

  it('knows properties by their patterns', () => {
    show({}, { 'x-n': 1, odd: 1 }, { patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false });
    expect((screen.getByLabelText('x-n') as HTMLInputElement).value).toBe('1');
    expect(screen.getByLabelText('odd (not in the schema)')).toBeTruthy();
  });

  it('adds an absent object with its defaults', () => {
    show({ a: { type: 'object', properties: { b: { type: 'string', default: 'd' } } } }, {});
    click('Add a');
    expect(now.value).toEqual({ a: { b: 'd' } });
  });

  it('adds a property of its own', () => {
    show({}, {}, { additionalProperties: { type: 'integer' } });
    click('Add a property');
    type('Name of the property', 'x');
    click('Add');
    expect(now.value).toEqual({ x: 0 });
  });
});
