import { besideCode } from './errorText';

/** A code and what it says, in one line. The place around it sets how a b looks. */
export function CodedError({ code, message }: { code: string; message: string | undefined }) {
  return (
    <>
      <b>{code}</b> {besideCode(code, message)}
    </>
  );
}
