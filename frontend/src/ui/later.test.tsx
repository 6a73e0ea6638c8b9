import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Guard } from '../app/Guard';
import { ApiProvider, type Api } from '../api/ApiContext';
import { MantineProvider } from '@mantine/core';
import { later } from './later';

afterEach(cleanup);

const begin = vi.fn(() => vi.fn());
const api = { client: { waiting: { begin } } } as unknown as Api;
const show = (child: React.ReactNode) =>
  render(
    <MantineProvider env="test">
      <ApiProvider api={api}>{child}</ApiProvider>
    </MantineProvider>,
  );

const Text = ({ text }: { text: string }) => <p>the whole of {text}</p>;

describe('a component that comes later', () => {
  it('has something in its place until its code is there, and then counts as waiting no more', async () => {
    let arrive: (module: { default: typeof Text }) => void = () => undefined;
    const Late = later<{ text: string }>(() => new Promise((resolve) => (arrive = resolve)), { meanwhile: ({ text }) => <p>the beginning of {text}</p> });
    show(<Late text="a" />);
    expect(screen.getByText('the beginning of a')).toBeTruthy();
    const answered = begin.mock.results.at(-1)!.value as ReturnType<typeof vi.fn>;
    expect(answered).not.toHaveBeenCalled();
    await act(async () => arrive({ default: Text }));
    expect(screen.getByText('the whole of a')).toBeTruthy();
    expect(answered).toHaveBeenCalled();
  });

  it('is there at once when it was loaded before, and stands in what it is given', async () => {
    const load = vi.fn(async () => ({ default: Text }));
    const Late = later<{ text: string }>(load, { within: ({ children }) => <section>{children}</section> });
    Late.preload();
    await act(async () => undefined);
    show(<Late text="b" />);
    expect(screen.getByText('the whole of b').parentElement?.tagName).toBe('SECTION');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('lets who keeps the rest of the page know that it cannot be had', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const Late = later<{ text: string }>(async () => {
      throw new TypeError('Importing a module script failed.');
    });
    Late.preload(); // that fails as well, and nobody is told of it
    show(
      <Guard>
        <Late text="c" />
      </Guard>,
    );
    expect((await screen.findByRole('alert')).textContent).toContain('This place could not be loaded');
  });
});
