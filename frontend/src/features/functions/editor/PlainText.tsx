import classes from './PlainText.module.css';

/** More lines than a window shows. */
const most = 120;

/** A text where the editor will show it, until the editor is there. */
export function PlainText({ text }: { text: string }) {
  return (
    <pre className={classes.text} data-testid="editor-text" aria-busy>
      {text.split('\n', most).join('\n')}
    </pre>
  );
}
