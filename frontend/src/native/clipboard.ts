import { t } from '../i18n/t';

/** Puts a text on the clipboard by the page's own means. */
export async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error(t('This page may not use the clipboard.'));
  await navigator.clipboard.writeText(text);
}
