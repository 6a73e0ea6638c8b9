import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, LiveEvent } from '../../api/contract.gen';
import { links } from '../../api/links';
import { t } from '../../i18n/t';
import page from '../../ui/page.module.css';

/**
 * Shows what happens behind the reader's back: a saved function that does not
 * load, and messages to the owner. One notification for each function and one
 * for all messages, so that nothing can fill the screen.
 */
export function useNotices(agents: readonly Agent[], go: (to: string) => void): void {
  const { events } = useApi();
  const now = useRef({ agents, go, waiting: 0 });
  useEffect(() => {
    now.current.agents = agents;
    now.current.go = go;
  });
  useEffect(() => {
    const onEvent = (event: LiveEvent) => {
      const { agents: all, go: leave } = now.current;
      if (event.event === 'function.failed') {
        const { agentId, name, errors } = event.data;
        const agent = all.find((a) => a.id === agentId);
        const first = errors[0];
        const id = `failed:${agentId}/${name}`;
        notifications.hide(id);
        notifications.show({
          id,
          color: 'red',
          autoClose: false,
          title: t('{name} does not load', { name }),
          message: (
            <>
              {first?.message ?? t('See its problems.')} {(event.data.version ?? 0) > 0 ? t('Version {version} still serves. ', { version: event.data.version }) : ''}
              {agent && (
                <button
                  type="button"
                  className={page.link}
                  onClick={() => {
                    notifications.hide(id);
                    leave(first?.line ? links.line(agent.username, name, first.line, first.column) : links.function(agent.username, name));
                  }}
                >
                  {t('Show')}
                </button>
              )}
            </>
          ),
        });
      } else if (event.event === 'function.declared' || event.event === 'function.removed') {
        notifications.hide(`failed:${event.data.agentId}/${event.data.name}`);
      } else if (event.event === 'inbox.message') {
        const count = ++now.current.waiting;
        const put = count > 1 ? notifications.update : notifications.show;
        put({
          id: 'inbox',
          color: event.data.severity === 'error' ? 'red' : event.data.severity === 'warning' ? 'yellow' : undefined,
          title: event.data.title,
          message: count > 1 ? t('From {function}, and {n} more in the inbox', { function: event.data.function, n: count - 1 }) : t('From {function}', { function: event.data.function }),
          onClose: () => {
            now.current.waiting = 0;
          },
        });
      }
    };
    return events.subscribe(onEvent);
  }, [events]);
}
