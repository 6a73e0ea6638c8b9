import { useEffect, useMemo, useState } from 'react';
import { t } from '../../i18n/t';
import { bytes } from '../../ui/format';
import { dumped, firstBytes, hexLines } from './answerFile';
import classes from './Client.module.css';
import { bodyBlob, headerOf, isRunning, type Exchange } from './exchange';

/** A body that is a picture, drawn once it is there. One that cannot be drawn is shown as its bytes. */
export function PictureView({ x }: { x: Exchange }) {
  const [url, setUrl] = useState<string>();
  const [broken, setBroken] = useState(false);
  const [size, setSize] = useState<{ wide: number; high: number }>();
  useEffect(() => {
    if (isRunning(x)) return;
    const made = URL.createObjectURL(bodyBlob(x));
    setUrl(made);
    setBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [x]);
  if (broken) return <BytesView x={x} why={t('It is no picture that can be drawn, whatever its type says.')} />;
  if (!url) return <p className={classes.note}>{t('The picture is on its way.')}</p>;
  return (
    <figure className={classes.figure}>
      <img
        className={classes.picture}
        src={url}
        alt={t('Body of the answer')}
        onError={() => setBroken(true)}
        onLoad={(e) => setSize({ wide: e.currentTarget.naturalWidth, high: e.currentTarget.naturalHeight })}
      />
      {size && <figcaption className={classes.note}>{t('{wide} × {high} pixels', size)}</figcaption>}
    </figure>
  );
}

/** A body that is neither text nor a picture: what it is, and how it begins. */
export function BytesView({ x, why }: { x: Exchange; why?: string }) {
  const first = useMemo(() => firstBytes(x), [x]);
  const all = x.end && !x.cut && x.end.error === undefined ? bodyBlob(x).size : undefined;
  const type = headerOf(x, 'content-type');
  const shown = () => {
    if (all === undefined) return t('The first {n} bytes:', { n: first.length });
    if (all > dumped) return t('The first {n} bytes of {size}:', { n: first.length, size: bytes(all) });
    return t('All of its {n, plural, one {# byte} other {# bytes}}:', { n: all });
  };
  return (
    <>
      <p className={classes.note}>
        {why ?? (type ? t('It is no text that could be shown.') : t('It has no type, and it is no text.'))} {shown()}
      </p>
      <pre className={`${classes.raw} ${classes.dump}`} tabIndex={0} role="region" aria-label={t('Bytes of the answer')}>
        {hexLines(first)}
      </pre>
    </>
  );
}
