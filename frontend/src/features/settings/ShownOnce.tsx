import { Button, Modal, Textarea } from '@mantine/core';
import { Copy } from 'lucide-react';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import classes from './Settings.module.css';

/** A new credential: it is shown now and never again. */
export function ShownOnce({ title, text, value, onClose }: { title: string; text: string; value: string; onClose: () => void }) {
  const native = useNative();
  const { act } = useAct();
  return (
    <Modal opened onClose={onClose} title={title} size="md" closeButtonProps={{ 'aria-label': t('Close') }}>
      <p className={page.ask}>{t('{text} It is shown this once: Benchtop keeps a fingerprint of it and not the value.', { text })}</p>
      <Textarea aria-label={t('The value')} readOnly autosize maxRows={6} value={value} classNames={{ input: classes.secret }} onFocus={(e) => e.currentTarget.select()} />
      <div className={`${page.buttons} ${classes.once}`}>
        <Button variant="default" leftSection={<Copy size={13} />} onClick={() => void act('copy', () => native.copy(value), t('It is on the clipboard'))}>
          {t('Copy')}
        </Button>
        <Button onClick={onClose}>{t('Done')}</Button>
      </div>
    </Modal>
  );
}
