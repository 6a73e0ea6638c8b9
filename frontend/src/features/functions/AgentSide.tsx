import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import classes from './FunctionsScreen.module.css';
import own from './ModuleSide.module.css';

interface Props {
  agent: Agent;
  width: number;
  go: ScreenProps['go'];
}

const skills: Record<string, string> = { custom_tools: t('Tools'), custom_http: t('HTTP endpoints'), cron: t('Schedules') };

/** Beside AGENT.md: what of it serves now, with a way to the functions that it uses. */
export function AgentSide({ agent, width, go }: Props) {
  const { client } = useApi();
  const list = useQuery({ queryKey: keys.entries(agent.id), queryFn: ({ signal }) => client.call('GET /api/agents/:agent/skills', { params: { agent: agent.id }, signal }) }).data;
  const used = Object.entries(skills).map(([skill, title]) => ({ title, entries: list?.entries.filter((e) => e.skill === skill) ?? [] })).filter((s) => s.entries.length > 0);
  return (
    <section className={classes.side} style={{ width }} aria-label={t('What AGENT.md says')}>
      <div className={classes.sideHead}>
        <h2 className={own.title}>{t('What serves of it')}</h2>
      </div>
      <div className={own.body}>
        <dl className={own.facts}>
          <dt>{t('Name')}</dt>
          <dd>{agent.username}</dd>
          <dt>{t('Model')}</dt>
          <dd>{agent.model || t('scripted')}</dd>
        </dl>
        {used.map(({ title, entries }) => (
          <div key={title}>
            <h3 className={own.section}>{title}</h3>
            <ul className={own.list} aria-label={title}>
              {entries.map((e) => (
                <li key={e.entryId} className={own.item}>
                  <div className={own.head}>
                    <code className={own.id}>{e.entryId}</code>
                    <Button size="compact-xs" variant="default" aria-label={t('Open {name}', { name: e.use })} onClick={() => go(links.function(agent.username, e.use))}>
                      {e.use}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {list && used.length === 0 && <p className={own.none}>{rich('No function is used yet: tools, HTTP endpoints and schedules stand under <1>skills</1>.', [<code />])}</p>}
        <p className={own.none}>{rich('The lines between <1>---</1> are YAML; what follows is what the agent is told. A save counts at once. While a part cannot be read, what it said last goes on.', [<code />])}</p>
      </div>
    </section>
  );
}
