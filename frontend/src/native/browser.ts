import { copyText } from './clipboard';
import type { Native } from './native';

/** What a plain browser offers. */
export function browserNative(): Native {
  return {
    kind: 'browser',
    openExternal: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
    copy: copyText,
  };
}
