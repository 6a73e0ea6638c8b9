import { useMemo, useState } from 'react';
import { t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { bytes as size } from '../../ui/format';
import page from '../../ui/page.module.css';
import { hexLines } from './answerFile';
import { fromBase64 } from './base64';
import { hexBrief } from './bytes';
import classes from './Client.module.css';

/** Bytes of a message that stand in its row, and those that are shown once it is opened. */
const inRow = 16;
const opened = 4096;

/** A binary message: its size and how it begins, and more of it once it is opened. */
export function LiveBytes({ b64, name }: { b64: string; name: string }) {
  const [all, setAll] = useState(false);
  const bytes = useMemo(() => fromBase64(b64), [b64]);
  return (
    <>
      <span className={classes.count}>{t('binary, {size}', { size: size(bytes.length) })}</span> {hexBrief(bytes, inRow)}{' '}
      {bytes.length > 0 && (
        <>
          <button type="button" className={page.link} aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('Show less') : t('Show its bytes')}
          </button>{' '}
          <button type="button" className={page.link} onClick={() => saveFile(`${name}.bin`, new Blob([bytes]))}>
            {t('Save')}
          </button>
        </>
      )}
      {all && (
        <pre className={`${classes.raw} ${classes.dump}`} tabIndex={0} role="region" aria-label={t('Bytes of the message')}>
          {hexLines(bytes.subarray(0, opened))}
          {bytes.length > opened && `\n${t('… {size} more; save it to see all', { size: size(bytes.length - opened) })}`}
        </pre>
      )}
    </>
  );
}
