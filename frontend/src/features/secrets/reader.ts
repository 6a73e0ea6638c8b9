import { t } from '../../i18n/t';

/** Who reads a secret, in words: a function by its name, or the model behind the agent. */
export const readerOf = (fn: string): string => (fn === '' ? t('the agent’s model') : fn);
