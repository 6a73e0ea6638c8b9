import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Copy, X } from 'lucide-react';
import { useApi } from '../../api/ApiContext';
import { useStatus } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { jsonText } from '../../ui/json';
import classes from './Payments.module.css';
import type { Sent } from './useSent';

/** What the last button sent. */
export function SentRequest({ sent, onClose }: { sent: Sent; onClose: () => void }) {
  const { client } = useApi();
  const native = useNative();
  const dataDir = useStatus().data?.dataDir;
  const copy = async () => {
    const auth = dataDir ? `-H "Authorization: Bearer $(cat '${dataDir}/owner.key')"` : '-H "Authorization: Bearer $BENCHTOP_KEY"';
    const lines = [`curl -sS -X ${sent.method} '${client.absolute(sent.path)}'`, auth];
    if (sent.body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(sent.body).replaceAll("'", `'\\''`)}'`);
    await native.copy(lines.join(' \\\n  '));
    notifications.show({ message: t('Copied as curl') });
  };
  return (
    <section className={classes.sent} aria-label={t('The request that was sent')} data-failed={sent.failed} data-testid="sent">
      <div className={classes.sentHead}>
        <span>
          {rich('That was <1>{method} {path}</1>', [<b className={classes.mono} />], { method: sent.method, path: sent.path })}
        </span>
        <span className={classes.grow} />
        <Button size="compact-xs" variant="default" leftSection={<Copy size={12} />} onClick={() => void copy()}>
          {t('Copy as curl')}
        </Button>
        <ActionIcon size={24} aria-label={t('Put the request away')} onClick={onClose}>
          <X size={14} />
        </ActionIcon>
      </div>
      <div className={classes.sentBody}>
        <pre tabIndex={0} aria-label={t('Body')}>{sent.body === undefined ? 'no body' : jsonText(sent.body)}</pre>
        <pre tabIndex={0} aria-label={t('Answer')}>{typeof sent.answer === 'string' ? sent.answer : jsonText(sent.answer)}</pre>
      </div>
    </section>
  );
}
