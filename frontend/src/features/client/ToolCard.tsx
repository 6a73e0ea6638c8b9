import { Button } from '@mantine/core';
import { Wrench } from 'lucide-react';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { JsonView } from '../../ui/JsonView';
import { StatusChip } from '../../ui/StatusChip';
import classes from './Chat.module.css';
import type { ToolUse } from './turns';

/** Characters of a value that stand in the conversation; longer ones open. */
const inLine = 240;

/** A call of a tool in a turn: with what, what it emitted, and what it gave. */
export function ToolCard({ tool, openRun }: { tool: ToolUse; openRun: (id: string) => void }) {
  return (
    <div className={classes.tool} data-testid="chat-tool">
      <div className={classes.toolHead}>
        <Wrench size={12} aria-hidden />
        <b>{tool.name}</b>
        {!tool.done && (
          <StatusChip tone="run" busy>
            {t('running')}
          </StatusChip>
        )}
        {tool.failed && <StatusChip tone="bad">{t('failed')}</StatusChip>}
        {tool.invocation && (
          <Button size="compact-xs" variant="subtle" onClick={() => openRun(tool.invocation!)}>
            {t('Its run')}
          </Button>
        )}
      </div>
      <dl className={classes.toolParts}>
        <Part name={t('Arguments')} value={tool.args ?? {}} />
        {tool.emitted.map((e, i) => (
          <Part key={i} name={t('Emitted')} value={e} />
        ))}
        {tool.done && <Part name={tool.failed ? t('Error') : t('Result')} value={tool.result} />}
      </dl>
    </div>
  );
}

function Part({ name, value }: { name: string; value: unknown }) {
  const native = useNative();
  const text = JSON.stringify(value) ?? 'undefined';
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {text.length <= inLine ? (
          <code>{text}</code>
        ) : (
          <details>
            <summary>
              <code>{text.slice(0, inLine)}…</code>
            </summary>
            <JsonView value={value} label={name} onCopy={(t) => void native.copy(t)} />
          </details>
        )}
      </dd>
    </>
  );
}
