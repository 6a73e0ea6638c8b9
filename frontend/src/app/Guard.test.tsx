import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiProvider, type Api } from '../api/ApiContext';
import { Unreachable } from '../api/errors';
import { Guard } from './Guard';

afterEach(cleanup);

function show(child: () => React.ReactNode, call: () => Promise<unknown> = async () => ({})) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Child = child;
  const api = { client: { call } } as unknown as Api;
  return render(
    <MantineProvider env="test">
      <ApiProvider api={api}>
        <p>the rest</p>
        <Guard>
          <Child />
        </Guard>
      </ApiProvider>
    </MantineProvider>,
  );
}

describe('Guard', () => {
  it('keeps the rest of the page, says what happened and tries again', () => {
    let broken = true;
    show(() => {
      if (broken) throw new Error('rows is undefined');
      return 'here again';
    });
    expect(screen.getByText('the rest')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('rows is undefined');
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('here again')).toBeTruthy();
  });
  it.each(['Failed to fetch dynamically imported module: http://127.0.0.1/x.js', 'Importing a module script failed.', 'Unable to preload CSS for /assets/x.css', 'error loading dynamically imported module'])('says for %j that a part is missing, and how to get the platform back', async (message) => {
    show(
      () => {
        throw new TypeError(message);
      },
      async () => {
        throw new Unreachable(undefined);
      },
    );
    expect(screen.getByRole('alert').textContent).toContain('This place could not be loaded');
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText(/Benchtop still does not answer/)).toBeTruthy();
  });
});
