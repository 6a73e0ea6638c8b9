import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { bytes } from '../../ui/format';
import classes from './Data.module.css';

/** As much of a large value as somebody looks at. */
const shown = 20_000;

/** A value that is too large to be edited in a box: its beginning, the whole as a file, and a way to write another. */
export function LargeValue({ name, text, size, onReplace }: { name: string; text: string; size: number; onReplace: () => void }) {
  return (
    <div className={classes.large}>
      <p className={classes.note}>{t('JSON of {size}, more than can be edited here. This is its beginning.', { size: bytes(size) })}</p>
      <pre className={classes.text} tabIndex={0} role="region" aria-label={t('Beginning of the value of {name}', { name })}>
        {text.slice(0, shown)}
      </pre>
      <span className={classes.confirmButtons}>
        <Button variant="default" onClick={onReplace}>
          {t('Write another value')}
        </Button>
        <Button variant="default" leftSection={<Download size={13} />} onClick={() => saveFile(`${name.replace(/[^\w.-]+/g, '-') || 'value'}.json`, text, 'application/json')}>
          {t('Download')}
        </Button>
      </span>
    </div>
  );
}
