import { KeyRound } from 'lucide-react';
import { rich } from '../../../i18n/t';
import { SecretForm } from '../../../ui/SecretForm';
import classes from './MissingSecrets.module.css';

/** Asks for the values that a function declares and nobody has set. The run stays possible. */
export function MissingSecrets({ bindings, onSave }: { bindings: readonly string[]; onSave: (binding: string, value: string) => Promise<void> }) {
  return (
    <div className={classes.box}>
      {bindings.map((binding) => (
        <div key={binding} className={classes.item}>
          <div className={classes.text}>
            <KeyRound size={13} aria-hidden className={classes.icon} />
            <span>
              {rich('<1>{binding}</1> is declared but not set', [<code />], { binding })}
            </span>
          </div>
          <SecretForm binding={binding} onSave={(value) => onSave(binding, value)} />
        </div>
      ))}
    </div>
  );
}
