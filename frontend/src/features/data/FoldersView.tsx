import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download, FileText, Folder, FolderOpen, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { fillPath } from '../../api/client';
import type { Agent, FolderBinding, FolderFile } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { files } from '../../api/routes';
import { rich, t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago, bytes, dateTime, visible } from '../../ui/format';
import { RowList } from '../../ui/RowList';
import { useAct } from '../../ui/useAct';
import classes from './Data.module.css';
import { FilePreview } from './FilePreview';
import { mostBytes } from './preview';
import { useStaleAfterRuns } from './useStaleAfterRuns';

const idOf = (b: FolderBinding) => `${b.function} ${b.alias}`;

/** The folders that manifests bind, and what is in them. To look at: functions write them. */
export function FoldersView({ agent }: { agent: Agent }) {
  const { client } = useApi();
  const [chosen, setChosen] = useState<string>();
  useStaleAfterRuns(agent.id, keys.folders(agent.id));
  const list = useQuery({
    queryKey: keys.folders(agent.id),
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/folders', { params: { agent: agent.id }, signal }),
  });
  const bindings = list.data?.folders ?? [];
  const binding = bindings.find((b) => idOf(b) === chosen) ?? bindings.find((b) => !b.problem) ?? bindings[0];
  if (list.isError) {
    return (
      <div className={classes.pad}>
        <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  if (list.isPending) {
    return (
      <div className={classes.pad}>
        <Skeleton height={120} radius="md" />
      </div>
    );
  }
  if (!binding) {
    return (
      <EmptyState icon={<Folder size={20} />} title={t('No function binds a folder')}>
        {rich('List one under <1>permissions.folders</1> in a manifest, with an <2>alias</2> and a <3>contentId</3> or a <4>path</4> in the project; then <5>ctx.folders.alias.list()</5> reads it.', [<code />, <code />, <code />, <code />, <code />])}
      </EmptyState>
    );
  }
  return (
    <div className={classes.split}>
      <nav className={classes.side} aria-label={t('Folders')}>
        <h2 className={classes.sideTitle}>{t('Bindings')}</h2>
        {bindings.map((b) => (
          <button key={idOf(b)} type="button" className={classes.sideItem} aria-current={idOf(b) === idOf(binding) || undefined} onClick={() => setChosen(idOf(b))}>
            <span className={classes.sideName}>
              {b.alias}
              <span className={classes.sideSub}>{b.function}</span>
            </span>
            <span className={b.problem || b.missing ? classes.warn : classes.count}>{b.problem ? t('closed') : b.missing ? t('not there') : b.permissions}</span>
          </button>
        ))}
      </nav>
      <FolderFiles key={idOf(binding)} agent={agent} binding={binding} />
    </div>
  );
}

function FolderFiles({ agent, binding }: { agent: Agent; binding: FolderBinding }) {
  const { client } = useApi();
  const { busy, act } = useAct();
  const [chosen, setChosen] = useState<string>();
  const params = { agent: agent.id, name: binding.function, alias: binding.alias };
  const list = useInfiniteQuery({
    queryKey: [...keys.folders(agent.id), binding.function, binding.alias],
    enabled: !binding.problem,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.call('GET /api/local/agents/:agent/folders/:name/:alias', { params, query: { cursor: pageParam, limit: 200 }, signal }),
    getNextPageParam: (p) => p.nextCursor ?? undefined,
  });
  const rows = useMemo(() => list.data?.pages.flatMap((p) => p.files) ?? [], [list.data]);
  const file = rows.find((f) => f.name === chosen);
  const pathOf = (f: FolderFile) => fillPath(files.folderFile, { ...params, file: f.name });
  const download = (f: FolderFile) => act('download', async () => saveFile(f.name, await (await client.send(pathOf(f), { headers: { Accept: '*/*' } })).blob()));
  return (
    <>
      <section className={classes.middle} aria-label={t('Files of {alias}', { alias: binding.alias })}>
        <div className={classes.tools}>
          <p className={classes.hint}>
            {binding.kind === 'local' ? (binding.permissions === 'rw' ? rich('The directory <1>{where}</1>, which {function} may read and write as <2>ctx.folders.{alias}</2>.', [<code />, <code />], { where: binding.where, function: binding.function, alias: binding.alias }) : rich('The directory <1>{where}</1>, which {function} may read as <2>ctx.folders.{alias}</2>.', [<code />, <code />], { where: binding.where, function: binding.function, alias: binding.alias })) : (binding.permissions === 'rw' ? rich('The folder <1>{where}</1>, which {function} may read and write as <2>ctx.folders.{alias}</2>.', [<code />, <code />], { where: binding.where, function: binding.function, alias: binding.alias }) : rich('The folder <1>{where}</1>, which {function} may read as <2>ctx.folders.{alias}</2>.', [<code />, <code />], { where: binding.where, function: binding.function, alias: binding.alias }))}
          </p>
        </div>
        <div className={classes.listBox}>
          {binding.problem && (
            <div className={classes.pad}>
              <ErrorBox tone="warn" title={t('This folder is closed')}>
                {binding.problem}
              </ErrorBox>
            </div>
          )}
          {list.isError && (
            <div className={classes.pad}>
              <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />
            </div>
          )}
          {list.data && (
            <RowList
              label={t('Files')}
              items={rows}
              keyOf={(f) => f.name}
              rowHeight={36}
              selected={chosen}
              onOpen={(f) => setChosen(f.name)}
              onEnd={() => {
                if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
              }}
              render={(f) => (
                <>
                  <FileText size={14} className={classes.icon} aria-hidden />
                  <span className={classes.file}>{visible(f.name)}</span>
                  <span className={classes.type}>{f.mimeType}</span>
                  <span className={classes.size}>{bytes(f.size)}</span>
                  <span className={classes.when} title={dateTime(f.modified)}>
                    {ago(f.modified)}
                  </span>
                </>
              )}
              empty={
                <EmptyState icon={<FolderOpen size={20} />} title={binding.missing ? t('The directory is not there') : t('The folder is empty')}>
                  {binding.permissions === 'rw'
                    ? rich("<1>await ctx.folders.{alias}.write('name.txt', text)</1> puts a file here.", [<code />], { alias: binding.alias })
                    : binding.missing
                      ? rich('Make <1>{where}</1> and put files there; {function} may only read them.', [<code />], { where: binding.where, function: binding.function })
                      : rich('Put files into <1>{where}</1>; {function} may only read them.', [<code />], { where: binding.where, function: binding.function })}
                </EmptyState>
              }
            />
          )}
        </div>
      </section>
      {file && (
        <aside className={classes.editor} aria-label={file.name}>
          <div className={classes.editorHead}>
            <h2 className={classes.editorTitle}>{visible(file.name)}</h2>
            <ActionIcon aria-label={t('Close')} onClick={() => setChosen(undefined)}>
              <X size={15} />
            </ActionIcon>
          </div>
          <dl className={classes.facts}>
            <dt>{t('Type')}</dt>
            <dd>{file.mimeType}</dd>
            <dt>{t('Size')}</dt>
            <dd>{bytes(file.size)}</dd>
            <dt>{t('Changed')}</dt>
            <dd>{dateTime(file.modified)}</dd>
          </dl>
          <div className={classes.preview}>
            <FilePreview path={pathOf(file)} name={file.name} mimeType={file.mimeType} size={file.size} version={file.modified} />
          </div>
          <div className={classes.editorFoot}>
            <span className={classes.grow} />
            <Button variant="default" leftSection={<Download size={13} />} loading={busy === 'download'} disabled={file.size > mostBytes} onClick={() => void download(file)}>
              {t('Download')}
            </Button>
          </div>
        </aside>
      )}
    </>
  );
}
