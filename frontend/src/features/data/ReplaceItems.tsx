import { Button, Modal } from '@mantine/core';
import type { ContentItem } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { visible } from '../../ui/format';
import page from '../../ui/page.module.css';
import classes from './Data.module.css';
import type { Doubled } from './useUpload';

/** Names that are shown; the others are counted. */
const shown = 5;

/** Asks what to do with files whose names are those of items. */
export function ReplaceItems({ doubled, onSend, onClose }: { doubled: Doubled | undefined; onSend: (files: readonly File[], inPlaceOf: ReadonlyMap<string, ContentItem>) => void; onClose: () => void }) {
  const names = [...(doubled?.items.keys() ?? [])];
  return (
    <Modal
      opened={doubled !== undefined}
      onClose={onClose}
      title={names.length === 1 ? t('{name} is there already', { name: visible(names[0] ?? '') }) : t('{n, plural, one {# file is there already} other {# files are there already}}', { n: names.length })}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {names.length > 1 && (
        <ul className={`${page.list} ${classes.doubled}`}>
          {names.slice(0, shown).map((name) => (
            <li key={name}>{visible(name)}</li>
          ))}
          {names.length > shown && <li>{t('{n, plural, one {And # more.} other {And # more.}}', { n: names.length - shown })}</li>}
        </ul>
      )}
      <p className={page.ask}>{t('Replaced, an item keeps its id, so that what reads it gets the new bytes. Kept, there are two of the name.')}</p>
      <div className={page.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button variant="default" onClick={() => doubled && onSend(doubled.files, new Map())}>
          {t('Keep both')}
        </Button>
        <Button data-autofocus onClick={() => doubled && onSend(doubled.files, doubled.items)}>
          {t('Replace')}
        </Button>
      </div>
    </Modal>
  );
}
