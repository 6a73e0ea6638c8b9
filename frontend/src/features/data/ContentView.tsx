import { ActionIcon, Button, FileButton, Modal, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Download, FileText, Trash2, Upload, X } from 'lucide-react';
import { useMemo, useState, type DragEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import { fillPath } from '../../api/client';
import type { Agent, ContentItem } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { files } from '../../api/routes';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { saveFile } from '../../ui/download';
import { droppedFiles, hasFiles } from '../../ui/dropped';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago, bytes, dateTime, visible } from '../../ui/format';
import page from '../../ui/page.module.css';
import { RowList } from '../../ui/RowList';
import { useAct } from '../../ui/useAct';
import classes from './Data.module.css';
import { FilePreview } from './FilePreview';
import { ReplaceItems } from './ReplaceItems';
import { useStaleAfterRuns } from './useStaleAfterRuns';
import { useUpload } from './useUpload';

/** Content items, the newest first. */
export function ContentView({ agent }: { agent: Agent }) {
  const { client } = useApi();
  const native = useNative();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [chosen, setChosen] = useState<string>();
  const [removing, setRemoving] = useState<ContentItem>();
  const [over, setOver] = useState(false);
  useStaleAfterRuns(agent.id, keys.content(agent.id));
  const list = useInfiniteQuery({
    queryKey: keys.content(agent.id),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.call('GET /api/local/agents/:agent/content', { params: { agent: agent.id }, query: { cursor: pageParam, limit: 100 }, signal }),
    getNextPageParam: (p) => p.nextCursor ?? undefined,
  });
  const rows = useMemo(() => list.data?.pages.flatMap((p) => p.items) ?? [], [list.data]);
  const item = rows.find((it) => it.id === chosen);
  const pathOf = (it: ContentItem) => fillPath(files.content, { agent: agent.id, id: it.id });
  const refresh = () => cache.invalidateQueries({ queryKey: keys.content(agent.id) });

  const { upload, progress, doubled, send, drop: keepItems } = useUpload(agent, setChosen, refresh);
  const download = (it: ContentItem) =>
    act('download', async () => saveFile(it.displayName || it.id, await (await client.send(pathOf(it), { headers: { Accept: '*/*' } })).blob()));
  const remove = (it: ContentItem) =>
    act(
      'delete',
      async () => {
        setRemoving(undefined);
        await client.call('DELETE /api/local/agents/:agent/content/:id', { params: { agent: agent.id, id: it.id } });
        await refresh();
      },
      t('{displayName} is deleted', { displayName: it.displayName || it.id }),
    );
  const drop = (e: DragEvent) => {
    setOver(false);
    if (!hasFiles(e.dataTransfer)) return;
    e.preventDefault();
    void upload(droppedFiles(e.dataTransfer));
  };
  const choose = (
    <FileButton multiple onChange={(all) => all.length > 0 && void upload(all)}>
      {(props) => (
        <Button variant="default" leftSection={<Upload size={13} />} loading={progress !== undefined} {...props}>
          {t('Upload')}
        </Button>
      )}
    </FileButton>
  );
  return (
    <div
      className={classes.split}
      data-over={over || undefined}
      onDragOver={(e) => {
        if (!hasFiles(e.dataTransfer)) return;
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={(e) => {
        // From one thing within to another is no way out.
        if (!e.currentTarget.contains(e.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      <section className={classes.middle} aria-label={t('Content items')}>
        <div className={classes.tools}>
          <p className={classes.hint}>
            {rich('What <1>ctx.content.put</1> stored and what you upload. Drop files here. The source of a function is not among them.', [<code />])}
          </p>
          {progress && progress.of > 1 && <span className={classes.count}>{t('{at} of {of}', { at: progress.at, of: progress.of })}</span>}
          {choose}
        </div>
        <div className={classes.listBox}>
          {list.isError && (
            <div className={classes.pad}>
              <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />
            </div>
          )}
          {list.isPending && (
            <div className={classes.pad}>
              <Skeleton height={90} radius="md" />
            </div>
          )}
          {list.data && (
            <RowList
              label={t('Content')}
              items={rows}
              keyOf={(it) => it.id}
              rowHeight={36}
              selected={chosen}
              onOpen={(it) => setChosen(it.id)}
              onEnd={() => {
                if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
              }}
              render={(it) => (
                <>
                  <FileText size={14} className={classes.icon} aria-hidden />
                  <span className={classes.file}>{visible(it.displayName || it.id)}</span>
                  <span className={classes.type}>{it.mimeType}</span>
                  <span className={classes.size}>{bytes(it.size)}</span>
                  <span className={classes.when} title={dateTime(it.createdAt)}>
                    {ago(it.createdAt)}
                  </span>
                </>
              )}
              empty={
                <EmptyState icon={<FileText size={20} />} title={t('No content yet')}>
                  {rich('<1>await ctx.content.put({ data, mimeType, displayName })</1> stores an item; upload one to let a function read it.', [<code />])}
                </EmptyState>
              }
            />
          )}
        </div>
      </section>
      {item && (
        <aside className={classes.editor} aria-label={item.displayName || item.id}>
          <div className={classes.editorHead}>
            <h2 className={classes.editorTitle}>{visible(item.displayName || item.id)}</h2>
            <ActionIcon aria-label={t('Close')} onClick={() => setChosen(undefined)}>
              <X size={15} />
            </ActionIcon>
          </div>
          <dl className={classes.facts}>
            <dt>{t('Id')}</dt>
            <dd>
              <code>{item.id}</code>
              <ActionIcon
                size="sm"
                aria-label={t('Copy the id')}
                onClick={() => void native.copy(item.id).then(() => notifications.show({ message: t('The id is on the clipboard') }))}
              >
                <Copy size={12} />
              </ActionIcon>
            </dd>
            <dt>{t('Type')}</dt>
            <dd>{item.mimeType}</dd>
            <dt>{t('Size')}</dt>
            <dd>{bytes(item.size)}</dd>
            <dt>{t('Stored')}</dt>
            <dd>{dateTime(item.createdAt)}</dd>
          </dl>
          <div className={classes.preview}>
            <FilePreview path={pathOf(item)} name={item.displayName || item.id} mimeType={item.mimeType} size={item.size} version={item.createdAt} />
          </div>
          <div className={classes.editorFoot}>
            <Button variant="subtle" color="red" leftSection={<Trash2 size={13} />} onClick={() => setRemoving(item)}>
              {t('Delete')}
            </Button>
            <span className={classes.grow} />
            <Button variant="default" leftSection={<Download size={13} />} loading={busy === 'download'} onClick={() => void download(item)}>
              {t('Download')}
            </Button>
          </div>
        </aside>
      )}
      <ReplaceItems doubled={doubled} onSend={(all, inPlaceOf) => void send(all, inPlaceOf)} onClose={keepItems} />
      <Modal opened={removing !== undefined} onClose={() => setRemoving(undefined)} title={t('Delete {displayName}?', { displayName: removing?.displayName || removing?.id || '' })} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        <p className={page.ask}>{t('A function that reads it gets nothing from then on, and its addresses lead nowhere. It cannot be brought back.')}</p>
        <div className={page.buttons}>
          <Button variant="default" onClick={() => setRemoving(undefined)}>
            {t('Keep it')}
          </Button>
          <Button color="red" onClick={() => removing && void remove(removing)}>
            {t('Delete')}
          </Button>
        </div>
      </Modal>
    </div>
  );
}
