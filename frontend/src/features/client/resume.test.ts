import { describe, expect, it } from 'vitest';
import { askedAfter, FrameReader, lastEventId, type Exchange } from './exchange';

const asked: Exchange = { id: 'i', at: 0, request: { id: 'i', path: '/mia/x', caller: { kind: 'owner' } }, chunks: [], items: [] };

/** A stream that ended after a text. */
function ended(text: string, type = 'text/event-stream'): Exchange {
  return new FrameReader().add(asked, [{ atMs: 0, head: { status: 200, headers: [{ name: 'Content-Type', value: type }] } }, { atMs: 1, chunk: { text } }, { atMs: 2, end: { bytes: text.length } }]);
}

describe('where a stream is gone on with', () => {
  it.each([
    ['id: 1\ndata: a\n\nid: 2\ndata: b\n\n', '2'],
    ['id: 1\ndata: a\n\ndata: b\n\n', '1'], // it lasts
    ['id: 1\ndata: a\n\nid: 2\ndata: b', '1'], // the second was cut off
    ['id: 1\ndata: a\n\nid\ndata: b\n\n', undefined], // taken back
    ['data: a\n\n', undefined],
    ['', undefined],
  ])('%j: after %s', (text, want) => expect(lastEventId(ended(text))).toBe(want));
  it('is known at its end, and of streams alone', () => {
    const { end: _, ...open } = ended('id: 1\ndata: a\n\n');
    expect(lastEventId(open)).toBeUndefined();
    expect(lastEventId(ended('id: 1\ndata: a\n\n', 'text/plain'))).toBeUndefined();
  });
  it('is what the request said', () => {
    expect(askedAfter(asked)).toBeUndefined();
    const request = { ...asked.request, headers: [{ name: 'last-event-id', value: '7' }] };
    expect(askedAfter({ ...asked, request })).toBe('7');
    expect(lastEventId({ ...ended('data: a\n\n'), request })).toBe('7');
    expect(lastEventId({ ...ended('id: 8\ndata: a\n\n'), request })).toBe('8');
  });
});
