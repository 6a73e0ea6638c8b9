import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Copy } from 'lucide-react';
import { useApi } from '../../api/ApiContext';
import type { ClientRequest } from '../../api/contract.gen';
import { useStatus } from '../../api/queries';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import type { BodyFile } from './bodyFile';
import { asCurl } from './draft';

/** Copies a request as a curl command, without its credentials. */
export function CopyCurl({ request, file }: { request: () => ClientRequest; file?: BodyFile | undefined }) {
  const { client } = useApi();
  const native = useNative();
  const dataDir = useStatus().data?.dataDir;
  const copy = async () => {
    const r = request();
    await native.copy(asCurl(r, client.absolute(r.path), dataDir, file));
    notifications.show({ message: t('Copied as curl') });
  };
  return (
    <Button variant="default" leftSection={<Copy size={13} />} onClick={() => void copy()}>
      {t('Copy as curl')}
    </Button>
  );
}
