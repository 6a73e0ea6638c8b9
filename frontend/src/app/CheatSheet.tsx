import { Modal } from '@mantine/core';
import { Fragment } from 'react';
import { t } from '../i18n/t';
import { Keys } from '../ui/Keys';
import { listKeys, shortcuts, textKeys } from '../ui/shortcuts';
import classes from './CheatSheet.module.css';

const all = Object.values(shortcuts);
const groups = [...new Set(all.map((s) => s.group))].map((group) => ({ group, list: all.filter((s) => s.group === group) }));

/** Every key, from the one table. */
export function CheatSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal opened={open} onClose={onClose} title={t('Keyboard shortcuts')} size={620} closeButtonProps={{ 'aria-label': t('Close') }}>
      <div className={classes.columns}>
        {[...groups, { group: t('In the text'), list: textKeys }].map(({ group, list }) => (
          <section key={group}>
            <h3 className={classes.group}>{group}</h3>
            <dl className={classes.list}>
              {[...list, ...(group === t('Lists') ? listKeys : [])].map(({ keys, title }) => (
                <Fragment key={title}>
                  <dt>{title}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
