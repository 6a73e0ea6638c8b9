import { Button, Loader, Skeleton, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { FolderOpen, X } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { OpenProjectRequest } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { useAgents, useProjects } from '../../api/queries';
import { warmWorkbench } from '../../app/parts';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago } from '../../ui/format';
import { Checklist } from './Checklist';
import { Health, useHealth } from './Health';
import classes from './HomeScreen.module.css';
import { SampleCards } from './SampleCards';

/** Where a visit begins: samples, folders, and what to try first. */
export function HomeScreen({ agent, go }: ScreenProps) {
  const { client } = useApi();
  const cache = useQueryClient();
  const native = useNative();
  const projects = useProjects();
  const agents = useAgents();
  const health = useHealth();
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();

  const open = async (what: string, request: OpenProjectRequest) => {
    setBusy(what);
    setProblem(undefined);
    try {
      const project = await client.call('POST /api/local/projects', { body: request });
      await Promise.all([
        cache.invalidateQueries({ queryKey: keys.agents }),
        cache.invalidateQueries({ queryKey: keys.projects }),
      ]);
      go(links.place(project.username, 'functions'));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(undefined);
    }
  };
  const close = async (id: string, name: string) => {
    try {
      await client.call('DELETE /api/local/projects/:agent', { params: { agent: id } });
      notifications.show({ message: t('{name} is closed. Its folder stays as it is.', { name }) });
      await cache.invalidateQueries({ queryKey: keys.projects });
      await cache.invalidateQueries({ queryKey: keys.agents });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const chooseFolder = async () => {
    const path = await native.openFolder?.();
    if (path) await open('path', { path });
  };

  const data = projects.data;
  const recent = (data?.recent ?? []).filter((r) => !data?.projects.some((p) => p.path === r.path));
  // Who has a project open comes back to that; who has none begins with a sample.
  const returning = (data?.projects.length ?? 0) > 0;
  const samples = (
    <section aria-labelledby="samples">
      <h2 id="samples" className={classes.heading}>
        {t('Start from a sample')}
      </h2>
      <SampleCards samples={data?.samples ?? []} busy={busy} onPick={(name) => void open(`sample:${name}`, { sample: name })} />
    </section>
  );
  const projectsAndRecent = (
    <>
      {(data?.projects.length ?? 0) > 0 && (
        <section aria-labelledby="open">
          <h2 id="open" className={classes.heading}>
            {t('Open projects')}
          </h2>
          <ul className={classes.list}>
            {data?.projects.map((p) => (
              <li key={p.agentId} className={classes.item}>
                <button type="button" className={classes.project} onClick={() => go(links.place(p.username, 'functions'))}>
                  <span className={classes.name}>{p.name || p.username}</span>
                  <span className={classes.path}>{p.path}</span>
                  {p.problems?.map((x) => (
                    <span key={x.message} className={classes.warn}>
                      {x.file || 'AGENT.md'}
                      {x.line ? `:${x.line}:${x.column ?? 1}` : ''} {x.message}
                    </span>
                  ))}
                </button>
                {native.reveal && (
                  <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void native.reveal?.(p.path)}>
                    {t('Show in folder')}
                  </Button>
                )}
                <Button size="compact-xs" variant="subtle" color="gray" aria-label={t('Close {name}', { name: p.name || p.username })} onClick={() => void close(p.agentId, p.name || p.username)}>
                  <X size={14} />
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent" className={classes.heading}>
            {t('Recent')}
          </h2>
          <ul className={classes.list}>
            {recent.map((r) => (
              <li key={r.path} className={classes.item}>
                <button type="button" className={classes.project} disabled={r.missing || busy !== undefined} onClick={() => void open(r.path, { path: r.path })}>
                  <span className={classes.name}>{r.name}</span>
                  <span className={classes.path}>{r.path}</span>
                  {r.missing && <span className={classes.warn}>{t('The folder is no longer there')}</span>}
                </button>
                <span className={classes.when}>{busy === r.path ? <Loader size={14} aria-label={t('Opening')} /> : ago(r.openedAt)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
  // Nothing that can be clicked before it stands where it stays.
  const known = !projects.isPending && !agents.isPending && !health.stats.isPending;
  useEffect(() => {
    if (known) warmWorkbench();
  }, [known]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <h1 className={classes.title}>{t('Write a function, call it, see what happened')}</h1>
        <p className={classes.lead}>
          {rich('A project is a folder: <1>AGENT.md</1> and its functions. Open a folder, or start from a sample; every change on disk is live on the next call.', [<code />])}
        </p>
      </header>
      {problem && (
        <div className={classes.problem}>
          <ErrorBox title={problem} />
        </div>
      )}
      {projects.isError && <ErrorBox title={messageOf(projects.error)} onRetry={() => void projects.refetch()} />}
      {known ? (
        <>
          <Health health={health} agents={agents.data ?? []} go={go} />
          <div className={classes.columns}>
            <div className={classes.column}>
              {!returning && samples}
              {returning && projectsAndRecent}
              <section aria-labelledby="folder">
                <h2 id="folder" className={classes.heading}>
                  {t('Open a folder')}
                </h2>
                {native.openFolder ? (
                  <Button variant="default" size="sm" leftSection={<FolderOpen size={15} />} loading={busy === 'path'} onClick={() => void chooseFolder()}>
                    {t('Choose a folder…')}
                  </Button>
                ) : (
                  <PathForm busy={busy === 'path'} onOpen={(path) => void open('path', { path })} />
                )}
              </section>
              {!returning && projectsAndRecent}
              {returning && samples}
            </div>
            <Checklist agent={agent} go={go} />
          </div>
        </>
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </div>
  );
}

function PathForm({ busy, onOpen }: { busy: boolean; onOpen: (path: string) => void }) {
  const [path, setPath] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim()) onOpen(path.trim());
    else input.current?.focus();
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        ref={input}
        size="sm"
        className={classes.grow}
        aria-label={t('Path of the folder')}
        placeholder="/home/you/my-agent"
        spellCheck={false}
        value={path}
        onChange={(e) => setPath(e.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="sm" loading={busy} leftSection={<FolderOpen size={15} />}>
        {t('Open')}
      </Button>
    </form>
  );
}
