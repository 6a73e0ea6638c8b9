import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { SquareFunction, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Agent } from '../../api/contract.gen';
import { ApiError, messageOf } from '../../api/errors';
import { links, unpacked } from '../../api/links';
import { agentFile, isFunction, isModule, useDeclared, useWork, useWorkFunction } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { useCommand } from '../../ui/commands';
import { ErrorBox } from '../../ui/ErrorBox';
import { Splitter } from '../../ui/Splitter';
import { readStored, useStored, writeStored } from '../../ui/stored';
import { AgentSide } from './AgentSide';
import type { Docs } from './docs';
import { EditorPane, type PlaceInSource } from './EditorPane';
import { FunctionTree } from './FunctionTree';
import classes from './FunctionsScreen.module.css';
import { GoneFunction } from './GoneFunction';
import { History } from './History';
import { ModuleSide } from './ModuleSide';
import { NewFunction, type Original } from './NewFunction';
import { LeastPrivilege } from './LeastPrivilege';
import { RemoveFunction } from './RemoveFunction';
import { RunPanel } from './run/RunPanel';
import type { Wish } from './run/useWish';
import { SearchPanel } from './SearchPanel';
import { useDocs } from './useDocs';
import { Versions } from './Versions';

/** The workbench: what I write, what I call, what happened. */
export default function FunctionsScreen({ agent, rest, go, openRun }: ScreenProps) {
  return agent ? <Workbench agent={agent} rest={rest} go={go} openRun={openRun} /> : null;
}

function Workbench({ agent, rest, go, openRun }: ScreenProps & { agent: Agent }) {
  const { docs, ready, problem, retry } = useDocs(agent.id);
  const work = useWork(agent.id);
  const { name, place, wish: wished, version: asked } = useMemo(() => parseRest(rest), [rest]);
  const [treeWidth, setTreeWidth] = useStored('tree.width', 210);
  const [runWidth, setRunWidth] = useStored('run.width', 372);
  const [creating, setCreating] = useState(false);
  const [original, setOriginal] = useState<Original>();
  const [searching, setSearching] = useState(0);
  const [wanted, setWanted] = useState('');
  useCommand('findInFiles', () => setSearching((n) => n + 1));
  const [target, setTarget] = useState<PlaceInSource>();
  const [wish, setWish] = useState<Wish>();
  const [against, setAgainst] = useState<{ version: number }>();
  const functions = work.data?.functions;
  const modules = work.data?.modules;
  const file = work.data?.agentFile;
  const names = useMemo(() => [...(file ? [file] : []), ...(functions ?? []), ...(modules ?? [])].map((f) => f.name), [file, functions, modules]);
  useSyncExternalStore(docs.watch, () => dirtyNames(docs, agent.id, names));

  const last = `last:${agent.id}`;
  useEffect(() => {
    if (name) return writeStored(last, name);
    const all = functions && [...functions, ...(modules ?? [])];
    const kept = readStored(last, '');
    const first = kept === file?.name ? file : (all?.find((f) => f.name === kept) ?? all?.[0]);
    if (first) go(links.function(agent.username, first.name), { replace: true });
  }, [agent.username, file, functions, modules, go, last, name]);
  // A wish is of one visit: going to another function and back must not bring it again.
  useEffect(() => {
    setWish(undefined);
    setTarget(undefined);
    setAgainst(undefined);
  }, [name]);
  useEffect(() => {
    if (!name || !(place || wished || asked)) return;
    if (place) setTarget(place);
    if (wished) setWish(wished);
    if (asked) setAgainst({ version: asked });
    go(links.function(agent.username, name), { replace: true });
  }, [agent.username, asked, go, name, place, wished]);

  if (work.isError || problem) {
    return (
      <div className={classes.failed}>
        <ErrorBox title={work.isError ? messageOf(work.error) : t('Unsaved texts could not be looked up. {problem}', { problem })} onRetry={work.isError ? () => void work.refetch() : retry} />
      </div>
    );
  }
  const duplicate = () => {
    const { source, manifest } = docs.get(`${agent.id}/${name}`);
    if (name && source) setOriginal({ name, source: source.mine, manifest: manifest?.mine });
  };
  const select = (to: string) => go(links.function(agent.username, to));
  return (
    <div className={classes.screen}>
      <h1 className="visually-hidden">{t('Functions of {username}', { username: agent.username })}</h1>
      <div className={classes.tree} style={{ width: treeWidth }}>
        {searching > 0 && (
          <SearchPanel
            agent={agent.id}
            names={names}
            docs={docs}
            wanted={wanted}
            onWanted={setWanted}
            asked={searching}
            onOpen={(to, part, line, column) => go(links.line(agent.username, to, line, column, part))}
            onClose={() => setSearching(0)}
          />
        )}
        <FunctionTree hidden={searching > 0} onDuplicate={name && isFunction(name) ? duplicate : undefined} onSearch={() => setSearching((n) => n + 1)} file={file} functions={functions ?? []} modules={modules ?? []} selected={name} isDirty={(n) => docs.isDirty(`${agent.id}/${n}`)} onSelect={select} onNew={() => setCreating(true)} />
      </div>
      <Splitter label={t('Width of the list')} value={treeWidth} min={150} max={360} onChange={setTreeWidth} />
      {functions?.length === 0 && !modules?.length && !name ? (
        <div className={classes.none}>
          <EmptyState icon={<SquareFunction size={20} />} title={t('No functions yet')} action={<Button onClick={() => setCreating(true)}>{t('New function')}</Button>}>
            {rich('A function is a folder with <1>manifest.json</1> and <2>index.js</2>. Make one here, or in your own editor.', [<code />, <code />])}
          </EmptyState>
        </div>
      ) : (
        name &&
        (ready ? (
          <Bench key={name} agent={agent} name={name} docs={docs} target={target} wish={wish} against={against} runWidth={runWidth} onRunWidth={setRunWidth} go={go} openRun={openRun} onPlace={(line, column) => setTarget({ line, column })} onGone={() => go(links.place(agent.username, 'functions'))} onBack={() => select(name)} />
        ) : (
          <Skeleton height="100%" radius={0} style={{ flex: 1 }} />
        ))
      )}
      <NewFunction agent={agent.id} opened={creating} names={functions?.map((f) => f.name) ?? []} onClose={() => setCreating(false)} onCreated={select} />
      {original && <NewFunction agent={agent.id} opened from={original} names={functions?.map((f) => f.name) ?? []} onClose={() => setOriginal(undefined)} onCreated={select} />}
    </div>
  );
}

interface BenchProps {
  agent: Agent;
  name: string;
  docs: Docs;
  target: PlaceInSource | undefined;
  wish: Wish | undefined;
  against: { version: number } | undefined;
  runWidth: number;
  onRunWidth: (width: number) => void;
  go: ScreenProps['go'];
  openRun: (id: string) => void;
  onPlace: (line: number, column: number) => void;
  onGone: () => void;
  /** It was removed, and is there again. */
  onBack: () => void;
}

/** One function, module or AGENT.md: editor on the left, run and history on the right. */
function Bench({ agent, name, docs, target, wish, against, runWidth, onRunWidth, go, openRun, onPlace, onGone, onBack }: BenchProps) {
  const id = `${agent.id}/${name}`;
  const query = useWorkFunction(agent.id, name);
  const work = query.data;
  const module = isModule(name);
  const declared = useDeclared(agent.id, name, isFunction(name) && (work?.version ?? 0) > 0);
  const [side, setSide] = useState('run');
  useEffect(() => {
    if (wish) setSide('run');
  }, [wish]);
  const [removing, setRemoving] = useState(false);
  const [compare, setCompare] = useState<{ version: number }>();
  useEffect(() => {
    if (against) setCompare(against);
  }, [against]);
  const saveRef = useRef<() => Promise<boolean>>(undefined);
  const dirty = useSyncExternalStore(docs.watch, () => docs.isDirty(id));
  const loaded = useSyncExternalStore(docs.watch, () => docs.get(id).source !== undefined);

  useEffect(() => {
    if (work) docs.stored(id, work);
  }, [docs, id, work]);

  const gone = query.error instanceof ApiError && query.error.status === 404;
  useEffect(() => {
    if (gone && dirty && loaded) docs.gone(id);
  }, [docs, dirty, gone, id, loaded]);
  if (gone && !(dirty && loaded && work)) {
    return (
      <div className={classes.none}>
        <GoneFunction agent={agent.id} name={name} docs={docs} onGone={onGone} />
      </div>
    );
  }
  if (query.isError && !work) {
    return (
      <div className={classes.failed}>
        <ErrorBox title={messageOf(query.error)} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  if (!work || !loaded) return <Skeleton height="100%" radius={0} style={{ flex: 1 }} />;
  return (
    <>
      <div className={classes.editor}>
        <EditorPane agent={agent} work={work} declared={isFunction(name) ? declared.data?.manifest : undefined} docs={docs} gone={gone} target={target} compare={compare} saveRef={saveRef} />
      </div>
      <Splitter label={t('Width of the run panel')} reverse value={runWidth} min={290} max={640} onChange={onRunWidth} />
      {name === agentFile ? (
        <AgentSide agent={agent} width={runWidth} go={go} />
      ) : module ? (
        <ModuleSide agent={agent} work={work} width={runWidth} go={go} openRun={openRun} />
      ) : (
        <section className={classes.side} style={{ width: runWidth }} aria-label={t('Run {name}', { name })}>
          <div className={classes.sideHead}>
            <SegmentedControl
              aria-label={t('Run, history, versions or permissions')}
              value={side}
              onChange={(value) => {
                setSide(value);
              }}
              data={[
                { value: 'run', label: t('Run') },
                { value: 'history', label: t('History') },
                { value: 'versions', label: t('Versions') },
                { value: 'permissions', label: t('Permissions') },
              ]}
            />
            <span className={classes.space} />
            <Button variant="subtle" color="gray" size="compact-xs" aria-label={t('Remove {name}', { name })} title={t('Remove {name}', { name })} onClick={() => setRemoving(true)}>
              <Trash2 size={14} />
            </Button>
          </div>
          <div className={classes.sideBody} hidden={side !== 'run'}>
            <RunPanel
              agent={agent}
              work={work}
              manifest={declared.data?.manifest}
              manifestNow={async () => (declared.isLoading ? await declared.refetch({ cancelRefetch: false }) : declared).data?.manifest}
              dirty={dirty}
              save={async () => (await saveRef.current?.()) ?? false}
              openRun={openRun}
              onPlace={onPlace}
              wish={wish}
            />
          </div>
          {side === 'history' && (
            <div className={classes.sideBody}>
              <History agent={agent.id} name={name} openRun={openRun} />
            </div>
          )}
          {side === 'versions' && (
            <div className={classes.sideBody}>
              <Versions agent={agent.id} name={name} onCompare={(version) => setCompare({ version })} />
            </div>
          )}
          {side === 'permissions' && (
            <div className={classes.sideBody}>
              <LeastPrivilege agent={agent.id} name={name} work={work} />
            </div>
          )}
        </section>
      )}
      {isFunction(name) && <RemoveFunction agent={agent} name={name} docs={docs} opened={removing} onClose={() => setRemoving(false)} onRemoved={onGone} onBack={onBack} />}
    </>
  );
}

/** "greet", "greet/at/12/5", "greet/manifest/3/1", "greet/version/3", "greet/replay/<run>" or "greet/call/<saved call>". */
export function parseRest(rest: string): { name?: string; place?: PlaceInSource; wish?: Wish; version?: number } {
  const [name, word, first, second] = rest.split('/');
  if (!name) return {};
  const part = word === 'at' ? 'source' : word === 'manifest' ? 'manifest' : undefined;
  const place = part && Number(first) > 0 ? { line: Number(first), column: Number(second) || 1, part } as const : undefined;
  const wish = !first ? undefined : word === 'replay' ? { run: unpacked(first) } : word === 'call' ? { call: unpacked(first) } : undefined;
  const version = word === 'version' && Number(first) > 0 ? Number(first) : undefined;
  return { name: unpacked(name), place, wish, version };
}

function dirtyNames(docs: Docs, agent: string, names: readonly string[]): string {
  return names.filter((n) => docs.isDirty(`${agent}/${n}`)).join(' ');
}
