import { notifications } from '@mantine/notifications';
import { useCallback, useState } from 'react';
import { messageOf } from '../api/errors';
import { t } from '../i18n/t';

/**
 * Runs what a button does: one thing at a time is busy, a failure is shown as a
 * notification, and the answer says whether it went well.
 */
export function useAct(): { busy: string | undefined; act: (what: string, run: () => Promise<unknown>, said?: string) => Promise<boolean> } {
  const [busy, setBusy] = useState<string>();
  const act = useCallback(async (what: string, run: () => Promise<unknown>, said?: string) => {
    setBusy(what);
    try {
      await run();
      if (said) notifications.show({ message: said });
      return true;
    } catch (error) {
      notifications.show({ color: 'red', title: t('That did not work'), message: messageOf(error), autoClose: 9000 });
      return false;
    } finally {
      setBusy(undefined);
    }
  }, []);
  return { busy, act };
}
