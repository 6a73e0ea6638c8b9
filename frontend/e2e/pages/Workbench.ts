import { expect, type Locator, type Page } from '@playwright/test';

/** The Functions place as a person sees it. */
export class Workbench {
  readonly editor: Locator;
  readonly tree: Locator;
  readonly args: Locator;
  readonly result: Locator;

  constructor(readonly page: Page) {
    this.editor = page.getByTestId('editor');
    this.tree = page.getByRole('navigation', { name: 'Functions' });
    this.args = page.getByRole('textbox', { name: 'Arguments' });
    this.result = page.getByRole('region', { name: 'Result', exact: true });
  }

  /** Waits until a function is in view and its text can be edited. */
  async opened(name: string): Promise<void> {
    await expect(this.tree.locator('[aria-current]', { hasText: name })).toBeVisible();
    await expect(this.editor.locator('.view-line').first()).toBeVisible();
  }

  async open(name: string): Promise<void> {
    await this.tree.getByRole('button', { name }).click();
    await this.opened(name);
  }

  /** The state beside the tabs, such as "saved v2". */
  state(text: string | RegExp): Locator {
    return this.page.getByText(text, { exact: typeof text === 'string' });
  }

  async run(): Promise<void> {
    await this.page.keyboard.press('Control+Enter');
  }

  /** The arguments as JSON, beside the form. */
  async json(): Promise<Locator> {
    await this.page.getByRole('radiogroup', { name: 'Form or JSON' }).getByText('JSON').click();
    await expect(this.args).toBeVisible();
    return this.args;
  }

  /** A field of the form of arguments. */
  field(label: string): Locator {
    return this.page.getByRole('group', { name: 'Parameters' }).getByRole('textbox', { name: label, exact: true });
  }

  /** Chooses from the menu beside the run button. */
  async more(item: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'More ways to run' }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Runs and waits for the outcome. */
  async runs(outcome: 'ok' | 'error' | 'cancelled' = 'ok'): Promise<void> {
    await this.run();
    await this.outcome(outcome);
  }

  async outcome(outcome: 'ok' | 'error' | 'cancelled'): Promise<void> {
    const output = this.page.getByRole('region', { name: 'Output of the run' });
    await expect(output.getByText('That was')).toBeVisible();
    await expect(output.getByText(outcome, { exact: true })).toBeVisible();
  }

  /** Replaces the whole text of the editor by a pasted one. */
  async type(text: string): Promise<void> {
    await this.editor.locator('.view-lines').click();
    await this.page.keyboard.press('Control+A');
    // Typed text would get the editor's own closing brackets on top.
    await this.page.evaluate((t) => navigator.clipboard.writeText(t), text);
    await this.page.keyboard.press('Control+V');
  }

  async save(): Promise<void> {
    await this.page.keyboard.press('Control+S');
  }

  /** What the editor shows, without the layout's own spaces. */
  async text(): Promise<string> {
    const lines = await this.editor.locator('.view-line').allInnerTexts();
    return lines.map((l) => l.replaceAll('\u00a0', ' ')).join('\n');
  }

  tab(name: RegExp | string): Locator {
    return this.page.getByRole('tab', { name });
  }

  async history(): Promise<Locator> {
    await this.page.getByText('History', { exact: true }).click();
    return this.page.getByRole('listbox', { name: /^History of/ });
  }
}
