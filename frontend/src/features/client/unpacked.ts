import { useEffect, useState } from 'react';
import type { ClientChunk } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { bytes as size } from '../../ui/format';
import { toBase64 } from './base64';
import { bodyBlob, headerOf, isRunning, type Exchange } from './exchange';

/** Bytes of an unpacked body at most: a small one may hold a very large one. */
export const mostUnpacked = 16 * 1024 * 1024;

/** How a body is packed, in small letters; empty when it is not, or cannot be looked into. */
export const packing = (x: Exchange): string => {
  const name = headerOf(x, 'content-encoding').trim().toLowerCase();
  return name === 'identity' ? '' : name;
};

/** A body as it was before it was packed. Throws when it cannot be unpacked. */
export async function unpack(x: Exchange, most = mostUnpacked): Promise<readonly ClientChunk[]> {
  const out = bodyBlob(x).stream().pipeThrough(new DecompressionStream(packing(x).replace(/^x-/, '') as CompressionFormat));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let all = 0;
  const reader = out.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    all += value.length;
    if (all > most) {
      void reader.cancel().catch(() => undefined);
      throw new Error(t('more than {most}', { most: size(most) }));
    }
    parts.push(value);
  }
  const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
  try {
    return [{ text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole) }];
  } catch {
    return [{ b64: toBase64(whole) }];
  }
}

/** An answer with its body unpacked, and what is said about that. */
export function useUnpacked(x: Exchange): { x: Exchange; said?: string } {
  const [unpacked, setUnpacked] = useState<{ of: Exchange; chunks?: readonly ClientChunk[] }>();
  const name = packing(x);
  const whole = name !== '' && !isRunning(x) && !x.cut && x.chunks.length > 0;
  useEffect(() => {
    if (!whole) return;
    let wanted = true;
    unpack(x).then(
      (chunks) => wanted && setUnpacked({ of: x, chunks }),
      () => wanted && setUnpacked({ of: x }),
    );
    return () => {
      wanted = false;
    };
  }, [x, whole]);
  if (!whole || unpacked?.of !== x) return { x };
  const { chunks } = unpacked;
  if (!chunks) return { x, said: t('{name}, which could not be unpacked here', { name }) };
  return { x: { ...x, chunks }, said: t('unpacked from {name}', { name }) };
}
