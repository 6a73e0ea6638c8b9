import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Commands, CommandsProvider } from './commands';

afterEach(cleanup);

// Monaco types into a <div role="textbox"> with an edit context where the browser has those.
it.each([
  ['a field', <input key="0" data-testid="text" />],
  ['a text of several lines', <textarea key="1" data-testid="text" />],
  ['the editor', <div key="2" role="textbox" tabIndex={0} data-testid="text" />],
])('leaves signs to %s and takes chords from it', (_, text) => {
  const commands = new Commands();
  const ran: string[] = [];
  commands.register('filter', () => ran.push('filter'));
  commands.register('cheatSheet', () => ran.push('cheatSheet'));
  commands.register('save', () => ran.push('save'));
  render(
    <CommandsProvider commands={commands}>
      {text}
      <button type="button">elsewhere</button>
    </CommandsProvider>,
  );
  const typed = screen.getByTestId('text');
  for (const key of ['/', '?']) expect(fireEvent.keyDown(typed, { key, shiftKey: key === '?' }), key).toBe(true);
  expect(ran).toEqual([]);
  fireEvent.keyDown(typed, { key: 's', ctrlKey: true });
  expect(ran).toEqual(['save']);
  fireEvent.keyDown(screen.getByText('elsewhere'), { key: '/' });
  expect(ran).toEqual(['save', 'filter']);
});
