import { ActionIcon, Button, Drawer, Indicator } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, Inbox } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, InboxMessage } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago, dateTime } from '../../ui/format';
import { Hint } from '../../ui/Keys';
import page from '../../ui/page.module.css';
import { StatusChip, type Tone } from '../../ui/StatusChip';
import { useAct } from '../../ui/useAct';
import { linkOf } from './link';
import classes from './Inbox.module.css';

interface Props {
  agents: readonly Agent[];
  go: ScreenProps['go'];
  openRun: (id: string) => void;
}

/** What functions told the owner, behind a bell with the number that is unread. */
export function InboxButton({ agents, go, openRun }: Props) {
  const { client } = useApi();
  const [open, setOpen] = useState(false);
  const list = useInfiniteQuery({
    queryKey: keys.inbox,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => client.call('GET /api/local/inbox', { query: { cursor: pageParam, limit: 50 }, signal }),
    getNextPageParam: (p) => p.nextCursor ?? undefined,
  });
  const messages = useMemo(() => list.data?.pages.flatMap((p) => p.messages) ?? [], [list.data]);
  const unread = list.data?.pages[0]?.unread ?? 0;
  const label = unread > 0 ? t('Inbox, {unread} unread', { unread }) : t('Inbox');
  return (
    <>
      <Hint label={label}>
        <Indicator disabled={unread === 0} size={7} offset={5} color="red">
          <ActionIcon aria-label={label} onClick={() => setOpen(true)}>
            <Bell size={16} />
          </ActionIcon>
        </Indicator>
      </Hint>
      <Drawer opened={open} onClose={() => setOpen(false)} position="right" size={460} title={t('Inbox')} closeButtonProps={{ 'aria-label': t('Close') }}>
        {list.isError && <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />}
        {list.data && (
          <Messages
            messages={messages}
            unread={unread}
            agents={agents}
            leave={(where) => {
              setOpen(false);
              where();
            }}
            go={go}
            openRun={openRun}
          />
        )}
        {list.hasNextPage && (
          <Button variant="default" fullWidth mt={12} loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('Older messages')}
          </Button>
        )}
      </Drawer>
    </>
  );
}

const tones: Record<string, Tone> = { info: 'run', warning: 'warn', error: 'bad' };

function Messages({ messages, unread, agents, leave, go, openRun }: Props & { messages: readonly InboxMessage[]; unread: number; leave: (where: () => void) => void }) {
  const { client } = useApi();
  const native = useNative();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const refresh = () => cache.invalidateQueries({ queryKey: keys.inbox });
  const read = (id: string) =>
    act(`read:${id}`, async () => {
      await client.call('POST /api/local/inbox/:id/read', { params: { id } });
      await refresh();
    });
  const readAll = () =>
    act('all', async () => {
      await client.call('POST /api/local/inbox/read', {});
      await refresh();
    });
  if (messages.length === 0) {
    return (
      <div className={classes.empty}>
        <EmptyState icon={<Inbox size={20} />} title={t('No messages')}>
          {rich('A function writes to you with <1>await ctx.portal.notifyOwner({ title, body })</1>.', [<code />])}
        </EmptyState>
      </div>
    );
  }
  const follow = (m: InboxMessage) => {
    const link = linkOf(m.deepLink);
    if (link?.kind === 'place') leave(() => go(link.to));
    else if (link) native.openExternal(link.to);
  };
  return (
    <>
      <div className={classes.head}>
        <span className={page.dim}>{unread > 0 ? t('{n, plural, one {# message} other {# messages}} unread', { n: unread }) : t('Everything is read')}</span>
        <Button size="compact-sm" variant="subtle" disabled={unread === 0} loading={busy === 'all'} onClick={() => void readAll()}>
          {t('Mark all as read')}
        </Button>
      </div>
      <ul className={page.list} aria-label={t('Messages')}>
        {messages.map((m) => {
          const agent = agents.find((a) => a.id === m.agentId);
          const link = linkOf(m.deepLink);
          return (
            <li key={m.id} className={classes.message} data-unread={m.readAt ? undefined : true}>
              <div className={classes.line}>
                <StatusChip tone={tones[m.severity] ?? 'dim'}>{m.severity}</StatusChip>
                <span className={page.dim} title={dateTime(m.createdAt)}>
                  {ago(m.createdAt)}
                </span>
                <span className={classes.space} />
                {!m.readAt && (
                  <Button size="compact-xs" variant="subtle" loading={busy === `read:${m.id}`} onClick={() => void read(m.id)}>
                    {t('Mark as read')}
                  </Button>
                )}
              </div>
              <h3 className={classes.title}>{m.title}</h3>
              {m.body && <p className={classes.body}>{m.body}</p>}
              <div className={classes.line}>
                <button type="button" className={page.link} disabled={!agent} onClick={() => agent && leave(() => go(links.function(agent.username, m.function)))}>
                  {agents.length > 1 && agent ? `${agent.username} / ` : ''}
                  {m.function}
                </button>
                <button type="button" className={page.link} onClick={() => leave(() => openRun(m.invocationId))}>
                  {t('Its run')}
                </button>
                {link && (
                  <button type="button" className={page.link} onClick={() => follow(m)}>
                    {link.kind === 'place' ? t('Go there') : t('Open {host}', { host: link.host })}
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
