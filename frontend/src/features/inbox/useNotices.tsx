import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, LiveEvent } from '../../api/contract.gen';
import { links } from '../../api/links';
import { agentFile } from '../../api/queries';
import { t } from '../../i18n/t';
import { useAnnounce } from '../../ui/Announcer';
import page from '../../ui/page.module.css';

/**
 * Shows what happens behind the reader's back: a saved function that does not
 * load, a project whose AGENT.md cannot be read, and messages to the owner. One
 * notification for each function and project and one for all messages, so that
 * nothing can fill the screen. The problems of the function in view stand below
 * its text already: those are only said.
 */
export function useNotices(agents: readonly Agent[], inView: { agent: string; name: string } | undefined, go: (to: string) => void): void {
  const { events } = useApi();
  const announce = useAnnounce();
  const shown = inView && failedId(inView.agent, inView.name);
  const saidOf = useRef(new Map<string, string>());
  const now = useRef({ agents, shown, go, waiting: 0 });
  useEffect(() => {
    Object.assign(now.current, { agents, shown, go });
  });
  useEffect(() => {
    if (shown) notifications.hide(shown);
  }, [shown]);
  useEffect(() => {
    const onEvent = (event: LiveEvent) => {
      const { agents: all, shown: seen, go: leave } = now.current;
      if (event.event === 'function.failed') {
        const { agentId, name, errors } = event.data;
        const agent = all.find((a) => a.id === agentId);
        const first = errors[0];
        const id = failedId(agentId, name);
        if (id === seen) return announce(t('{name} does not load', { name }));
        notifications.hide(id);
        notifications.show({
          id,
          color: 'red',
          autoClose: false,
          title: agent && all.length > 1 ? t('{name} of {agent} does not load', { name, agent: agent.username }) : t('{name} does not load', { name }),
          message: (
            <>
              <div>{first?.message ?? t('See its problems.')}</div>
              {(event.data.version ?? 0) > 0 ? t('Version {version} still serves. ', { version: event.data.version }) : ''}
              {agent && (
                <button
                  type="button"
                  className={page.link}
                  onClick={() => {
                    notifications.hide(id);
                    leave(first?.line ? links.line(agent.username, name, first.line, first.column, first.file?.endsWith('manifest.json') ? 'manifest' : 'source') : links.function(agent.username, name));
                  }}
                >
                  {t('Show')}
                </button>
              )}
            </>
          ),
        });
      } else if (event.event === 'function.declared' || event.event === 'function.removed') {
        notifications.hide(failedId(event.data.agentId, event.data.name));
      } else if (event.event === 'project.opened' || event.event === 'project.changed') {
        const { agentId, name } = event.data;
        // That something is otherwise on the hosted platform is no fault here; Home says it.
        const problems = event.data.problems.filter((p) => p.code !== 'PORTABILITY');
        const first = problems[0];
        const id = `project:${agentId}`;
        const said = JSON.stringify(problems);
        if (!first) notifications.hide(id);
        // Where AGENT.md is in view its problems stand below it.
        if (first && seen === failedId(agentId, agentFile) && problems.every((p) => p.file === agentFile)) {
          notifications.hide(id);
          if (saidOf.current.get(id) !== said) announce(t('{file} of {name} has a problem', { file: agentFile, name }));
          // A project changes with each of its files: what was said and put away is not said again.
        } else if (first && saidOf.current.get(id) !== said) {
          notifications.hide(id);
          notifications.show({
            id,
            color: 'red',
            autoClose: false,
            title: first.file ? t('{file} of {name} has a problem', { file: first.file, name }) : t('The project {name} has a problem', { name }),
            message: (
              <>
                {first.line ? t('Line {line}: {message}', { line: first.line, message: first.message }) : first.message}{' '}
                {problems.length > 1 && `${t('{n, plural, one {And # more.} other {And # more.}}', { n: problems.length - 1 })} `}
                <button
                  type="button"
                  className={page.link}
                  onClick={() => {
                    notifications.hide(id);
                    leave(first.file === agentFile ? links.line(event.data.username, agentFile, first.line || 1, first.column) : links.home());
                  }}
                >
                  {t('Show')}
                </button>
              </>
            ),
          });
        }
        saidOf.current.set(id, said);
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
  }, [announce, events]);
}

const failedId = (agent: string, name: string) => `failed:${agent}/${name}`;
