/** Who reads a secret, in words: a function by its name, or the model behind the agent. */
export const readerOf = (fn: string): string => (fn === '' ? 'the agent’s model' : fn);
