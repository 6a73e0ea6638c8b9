import { KeyRound } from 'lucide-react';
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
              <code>{binding}</code> is declared but not set
            </span>
          </div>
          <SecretForm binding={binding} onSave={(value) => onSave(binding, value)} />
        </div>
      ))}
    </div>
  );
}
