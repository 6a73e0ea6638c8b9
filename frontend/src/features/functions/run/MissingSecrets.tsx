import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useSecrets } from '../../../api/queries';
import { rich, t } from '../../../i18n/t';
import page from '../../../ui/page.module.css';
import { SecretForm } from '../../../ui/SecretForm';
import { PasteEnv } from '../../secrets/PasteEnv';
import classes from './MissingSecrets.module.css';

/** Asks for the values that a function declares and nobody has set. The run stays possible. */
export function MissingSecrets({ agent, bindings, onSave }: { agent: string; bindings: readonly string[]; onSave: (binding: string, value: string) => Promise<void> }) {
  const [pasting, setPasting] = useState(false);
  const secrets = useSecrets(agent).data?.secrets;
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
      <button type="button" className={`${page.link} ${classes.paste}`} onClick={() => setPasting(true)}>
        {t('or paste a .env')}
      </button>
      {pasting && secrets && <PasteEnv agent={agent} secrets={secrets} onClose={() => setPasting(false)} />}
    </div>
  );
}
