import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';

const id = 'manifest-changed';

/** Says that a manifest was changed, with the way back. */
export function tellManifestChanged(message: string, undo: () => Promise<unknown>): void {
  const back = async () => {
    notifications.hide(id);
    try {
      await undo();
      notifications.show({ message: t('The manifest is as it was before.') });
    } catch (error) {
      notifications.show({ color: 'red', title: t('The manifest stays as it is'), message: messageOf(error) });
    }
  };
  notifications.hide(id); // what was said of the change before this one
  notifications.show({
    id,
    autoClose: 15_000,
    message: (
      <>
        {message}{' '}
        <Button size="compact-xs" variant="default" onClick={() => void back()}>
          {t('Undo')}
        </Button>
      </>
    ),
  });
}
