import { Button } from '@mantine/core';
import { t } from '../../i18n/t';
import { TextDiff } from '../../ui/TextDiff';
import classes from './Data.module.css';

/** A value that was written by something else while it was edited here: both are shown, and neither is lost. */
export function KeyConflict({ theirs, mine, onTheirs, onMine }: { theirs: string | undefined; mine: string; onTheirs: () => void; onMine: () => void }) {
  if (theirs === undefined) {
    return (
      <div className={classes.confirm} role="alert">
        {t('The key went while you edited it: it was deleted, or its time was up. Saving puts it back.')}
      </div>
    );
  }
  return (
    <div className={classes.confirm} role="alert">
      {t('Something else has written this value while you edited it. On the left is what is stored now, on the right what you typed.')}
      <TextDiff left={theirs} right={mine} label={t('What is stored, and what you typed')} />
      <span className={classes.confirmButtons}>
        <Button variant="default" onClick={onTheirs}>
          {t('Take what is stored')}
        </Button>
        <Button variant="default" onClick={onMine}>
          {t('Go on with mine')}
        </Button>
      </span>
    </div>
  );
}
