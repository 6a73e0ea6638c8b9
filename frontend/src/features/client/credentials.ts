const credential = /authoriz|authent|(^|-)auth($|-)|cookie|token|secret|passw|(api|access|private|subscription|functions)-?key|signature|credential|session|^x-payment|assertion/i;

/** Whether a header of that name holds a credential. The platform never writes its value to a file. */
export const isCredential = (header: string): boolean => credential.test(header);
