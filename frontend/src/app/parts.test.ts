import { afterEach, describe, expect, it } from 'vitest';
import { fetchParts } from './parts';

const rels = () => [...document.querySelectorAll<HTMLLinkElement>('link')].map((link) => link.rel);

describe('fetchParts', () => {
  afterEach(() => document.head.replaceChildren());
  const named = () => {
    document.head.innerHTML = '<link data-for="functions" href="data:,"><link data-for="functions" href="data:text/css," as="style"><link data-for="other" href="data:,">';
  };
  it('promises what a place needs now', () => {
    named();
    fetchParts('functions');
    expect(rels()).toEqual(['modulepreload', 'preload', '']);
  });
  it('promises nothing that may never be used', () => {
    named();
    fetchParts('functions', 'later');
    expect(rels()).toEqual(['modulepreload', 'prefetch', '']);
  });
});
