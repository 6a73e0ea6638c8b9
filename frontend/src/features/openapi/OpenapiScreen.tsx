import { Button, SegmentedControl, Skeleton, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeftRight, ChevronRight, Copy, Download, FileJson2, Play, Search } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { fillPath } from '../../api/client';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { files } from '../../api/routes';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { saveFile } from '../../ui/download';
import { EmptyState } from '../../ui/EmptyState';
import { useCommand } from '../../ui/commands';
import { ErrorBox } from '../../ui/ErrorBox';
import { JsonView } from '../../ui/JsonView';
import { NoMatch } from '../../ui/NoMatch';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import { fillClient } from '../client/useSavedCalls';
import { entriesOf, functionOf, matches, type Document, type Entry } from './document';
import classes from './Openapi.module.css';
import { OperationView } from './OperationView';
import { draftOf } from './tryIn';

/** What can be called of an agent, from the document that other programs read. */
export default function OpenapiScreen({ agent, go }: ScreenProps) {
  const { client } = useApi();
  const cache = useQueryClient();
  const native = useNative();
  const { act } = useAct();
  const [view, setView] = useState('read');
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const field = useRef<HTMLInputElement>(null);
  useCommand('filter', () => field.current?.focus());
  const path = fillPath(files.openapi, { agent: agent?.username ?? '-' });
  const document = useQuery({
    queryKey: keys.openapi(agent?.id ?? ''),
    enabled: Boolean(agent),
    queryFn: async ({ signal }) => (await (await client.send(path, { signal })).json()) as Document,
  });
  const doc = document.data;
  if (!agent) return null;
  const tryIn = (entry: Entry) => {
    const { kind, draft } = draftOf(doc ?? {}, entry);
    // The document names the agent by its id; its name says the same, and people can read it.
    fillClient(cache, client, agent, kind, { ...draft, path: draft.path.replace(`/agents/${agent.id}/`, `/agents/${agent.username}/`) });
    go(links.client(agent.username, kind));
  };
  const all = doc ? entriesOf(doc) : [];
  const entries = search ? all.filter((e) => matches(e, search)) : all;
  const groups = [...new Set(entries.map((e) => e.group))];
  const url = client.absolute(path);
  const copy = (text: string, said: string) => void act('copy', () => native.copy(text), said);
  return (
    <div className={page.page}>
      <header className={`${page.header} ${classes.head}`}>
        <div className={classes.headText}>
          <h1 className={page.title}>{doc?.info?.title ?? t('API document')}</h1>
          <p className={page.lead}>
            {t('OpenAPI {openapi}, made from the functions that serve and what uses them.', { openapi: doc?.openapi ?? '3.1' })}
          </p>
        </div>
        <div className={page.actions}>
          <SegmentedControl
            aria-label={t('How it is shown')}
            value={view}
            onChange={setView}
            data={[
              { value: 'read', label: t('Readable') },
              { value: 'raw', label: t('Raw') },
            ]}
          />
          <Button variant="default" leftSection={<Copy size={13} />} onClick={() => copy(url, t('The address is on the clipboard'))}>
            {t('Copy URL')}
          </Button>
          <Button variant="default" leftSection={<Download size={13} />} disabled={!doc} onClick={() => saveFile(`${agent.username}-openapi.json`, JSON.stringify(doc, null, 2), 'application/json')}>
            {t('Download')}
          </Button>
        </div>
        <code className={classes.url}>{url}</code>
      </header>
      {document.isError && <ErrorBox title={messageOf(document.error)} onRetry={() => void document.refetch()} />}
      {document.isPending && <Skeleton height={240} radius="md" />}
      {doc && view === 'raw' && (
        <div className={`${page.card} ${classes.raw}`}>
          <JsonView value={doc} label={t('OpenAPI document')} onCopy={(text) => copy(text, t('The document is on the clipboard'))} />
        </div>
      )}
      {doc && view === 'read' && all.length > 0 && (
        <TextInput
          ref={field}
          className={classes.search}
          aria-label={t('Search the operations')}
          placeholder={t('Method, path, words')}
          spellCheck={false}
          leftSection={<Search size={13} aria-hidden />}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
        />
      )}
      {doc && view === 'read' && all.length > 0 && entries.length === 0 && <NoMatch of={all.length} onClear={() => setTyped('')} />}
      {doc && view === 'read' && all.length === 0 && (
        <EmptyState icon={<FileJson2 size={20} />} title={t('Nothing can be called yet')}>
          {t('Write a function, and its address shows here.')}
        </EmptyState>
      )}
      {doc &&
        view === 'read' &&
        groups.map((group) => {
          const list = entries.filter((e) => e.group === group);
          return (
            <section key={group} className={classes.group} aria-label={group}>
              <h2 className={page.heading}>
                {group} · {t('{n, plural, one {# operation} other {# operations}}', { n: list.length })}
              </h2>
              <ul className={`${page.list} ${page.card}`}>
                {list.map((e) => (
                  <Row key={e.id} doc={doc} entry={e} onFunction={(name) => go(links.function(agent.username, name))} onTry={() => tryIn(e)} />
                ))}
              </ul>
            </section>
          );
        })}
    </div>
  );
}

function Row({ doc, entry, onFunction, onTry }: { doc: Document; entry: Entry; onFunction: (name: string) => void; onTry: () => void }) {
  const [open, setOpen] = useState(false);
  const fn = functionOf(entry.path);
  return (
    <li className={classes.operation}>
      <button type="button" className={classes.row} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} className={classes.arrow} aria-hidden />
        <span className={classes.method} data-method={entry.method}>
          {entry.method}
        </span>
        <span className={classes.path}>{entry.path}</span>
        <span className={classes.summary}>{entry.operation.summary}</span>
      </button>
      {open && (
        <div className={classes.details}>
          <div className={classes.ways}>
            <Button variant="default" leftSection={<ArrowLeftRight size={13} />} onClick={onTry}>
              {t('Try in Client')}
            </Button>
            {fn && (
              <Button variant="default" leftSection={<Play size={13} />} onClick={() => onFunction(fn)}>
                {t('Run {fn}', { fn })}
              </Button>
            )}
          </div>
          <OperationView doc={doc} operation={entry.operation} />
        </div>
      )}
    </li>
  );
}
