import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { bytes } from '../../ui/format';
import { JsonView } from '../../ui/JsonView';
import { parseExactly } from '../../ui/json';
import classes from './Data.module.css';
import { mostBytes, previewKind, textOf } from './preview';

/** Texts beyond this are shown up to it. */
const textMost = 256 * 1024;

/** Shows what is in a file, as text or as a picture and never as a page. */
export function FilePreview({ path, name, mimeType, size, version }: { path: string; name: string; mimeType: string; size: number; version: string }) {
  const { client } = useApi();
  const kind = size > mostBytes ? 'none' : previewKind(mimeType);
  const file = useQuery({
    queryKey: ['file', path, version],
    enabled: kind !== 'none' && size > 0,
    queryFn: async ({ signal }) => (await client.send(path, { headers: { Accept: '*/*' }, signal })).arrayBuffer(),
    staleTime: Infinity,
    gcTime: 30_000,
  });
  if (size > mostBytes) return <p className={classes.note}>{t('It has {size}, more than the {size2} that can be read from here or by a function.', { size: bytes(size), size2: bytes(mostBytes) })}</p>;
  if (size === 0) return <p className={classes.note}>{t('It is empty.')}</p>;
  if (kind === 'none') return <p className={classes.note}>{t('{mimeType} cannot be shown here. Download it to look inside.', { mimeType })}</p>;
  if (file.isError) return <ErrorBox title={messageOf(file.error)} onRetry={() => void file.refetch()} />;
  if (!file.data) return <Skeleton height={160} radius="md" />;
  if (kind === 'image') return <Picture data={file.data} name={name} mimeType={mimeType} />;
  const text = textOf(file.data.slice(0, textMost));
  if (text === undefined) return <p className={classes.note}>{t('It is not text, whatever its type says. Download it to look inside.')}</p>;
  const parsed = kind === 'json' && size <= textMost ? parseExactly(text) : undefined;
  return (
    <>
      {parsed?.ok ? (
        <JsonView value={parsed.value} label={t('Preview of {name}', { name })} />
      ) : (
        <pre className={classes.text} tabIndex={0} role="region" aria-label={t('Preview of {name}', { name })}>
          {text}
        </pre>
      )}
      {size > textMost && <p className={classes.note}>{t('The first {size} of {size2}.', { size: bytes(textMost), size2: bytes(size) })}</p>}
    </>
  );
}

function Picture({ data, name, mimeType }: { data: ArrayBuffer; name: string; mimeType: string }) {
  const [url, setUrl] = useState<string>();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const blob = new Blob([data], { type: mimeType });
    const made = URL.createObjectURL(blob);
    let here = true;
    setUrl(undefined);
    setBroken(false);
    // What is no picture is not shown at all, so that nothing stands there broken.
    createImageBitmap(blob).then(
      (decoded) => {
        decoded.close();
        if (here) setUrl(made);
      },
      () => here && setBroken(true),
    );
    return () => {
      here = false;
      URL.revokeObjectURL(made);
    };
  }, [data, mimeType]);
  if (broken) return <p className={classes.note}>{t('It is no picture, whatever its type says. Download it to look inside.')}</p>;
  return url ? <img className={classes.picture} src={url} alt={t('Preview of {name}', { name })} /> : null;
}
