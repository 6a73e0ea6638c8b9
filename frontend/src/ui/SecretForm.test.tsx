import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SecretForm } from './SecretForm';

const pem = '-----BEGIN KEY-----\nabc\r\ndef\n-----END KEY-----\n';

function show() {
  const onSave = vi.fn(() => Promise.resolve());
  render(
    <MantineProvider env="test">
      <SecretForm binding="PEM" onSave={onSave} />
    </MantineProvider>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Value of PEM');
  const paste = (text: string) => fireEvent.paste(field, { clipboardData: { getData: () => text } });
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  return { onSave, field, paste, save };
}

afterEach(cleanup);

describe('SecretForm', () => {
  it('keeps the line ends of a pasted key, and shows nothing of it', async () => {
    const { onSave, field, paste, save } = show();
    paste(pem);
    expect(await screen.findByText(/^5 lines, kept as they were pasted/)).toBeTruthy();
    expect(document.body.innerHTML).not.toContain('abc');
    expect(field.value).not.toContain('BEGIN');
    save();
    expect(onSave).toHaveBeenCalledWith(pem);
  });
  it('lets a pasted key be taken out again', () => {
    const { onSave, field, paste, save } = show();
    paste(pem);
    fireEvent.keyDown(field, { key: 'Backspace' });
    expect(screen.queryByText(/lines, kept/)).toBeNull();
    expect(field.readOnly).toBe(false);
    fireEvent.change(field, { target: { value: 'typed' } });
    save();
    expect(onSave).toHaveBeenCalledWith('typed');
  });
  it.each(['one line', 'one line\n'])('leaves %j to the field itself', (text) => {
    const { field, paste } = show();
    expect(paste(text)).toBe(true); // not prevented
    expect(field.readOnly).toBe(false);
  });
});
