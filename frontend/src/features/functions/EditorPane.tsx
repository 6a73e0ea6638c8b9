import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, SaveConflict, WorkFunction } from '../../api/contract.gen';
import { ApiError, messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { agentFile, isFunction, saveWork } from '../../api/queries';
import { t } from '../../i18n/t';
import { editText, type ManifestEdit } from '../../manifest/edit';
import { editHeader } from '../../manifest/header';
import { useAnnounce } from '../../ui/Announcer';
import { useCommand } from '../../ui/commands';
import { ErrorBox } from '../../ui/ErrorBox';
import { keepClear } from '../../ui/keepClear';
import { later } from '../../ui/later';
import { useStored } from '../../ui/stored';
import { AgainstView } from './AgainstView';
import { ConflictView } from './ConflictView';
import { isDirty } from './doc';
import type { Docs, Part } from './docs';
import type { EditorHandle, Marker } from './editor/CodeEditor';
import { PlainText } from './editor/PlainText';
import classes from './EditorPane.module.css';
import { EditorTabs, type Against } from './EditorTabs';
import { GoneNotice } from './GoneNotice';
import { ManifestForm } from './ManifestForm';
import type { PlacedProblem } from './problems';
import { ProblemsList } from './ProblemsList';
import { RestoredNotice } from './RestoredNotice';
import { useLastRun } from './useLastRun';
import { useProblems } from './useProblems';

const CodeEditor = later(() => import('./editor/CodeEditor'), { meanwhile: ({ text }) => <PlainText text={text} /> });
// Whoever comes here wants it: it is fetched while the texts are.
CodeEditor.preload();

export interface PlaceInSource {
  line: number;
  column: number;
  /** The text it is in; the source, unless it is said. */
  part?: Part;
}

interface Props {
  agent: Agent;
  work: WorkFunction;
  /** The manifest that serves, normalised. */
  declared: unknown;
  docs: Docs;
  /** It was removed from under the edit. */
  gone: boolean;
  /** Where to put the cursor; a new object is a new wish. */
  target: PlaceInSource | undefined;
  /** A version to compare with; a new object is a new wish. */
  compare: { version: number } | undefined;
  saveRef: React.RefObject<(() => Promise<boolean>) | undefined>;
}

const noHints: never[] = [];

/** The texts of a function: tabs, editor, problems, saving. */
export function EditorPane({ agent, work, declared, docs, gone, target, compare, saveRef }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const announce = useAnnounce();
  const id = `${agent.id}/${work.name}`;
  const versioned = isFunction(work.name);
  const open = useSyncExternalStore(docs.watch, () => docs.get(id));
  const [part, setPart] = useState<Part>('source');
  const [form, setForm] = useStored('manifest.form', false);
  const [formatting, setFormatting] = useStored('editor.format', true);
  const [against, setAgainst] = useState<Against>();
  const [saving, setSaving] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [found, setFound] = useState<Record<string, Marker[]>>({});
  const [wish, setWish] = useState<PlacedProblem | PlaceInSource>();
  const editor = useRef<EditorHandle>(null);
  const ran = useLastRun(agent.id, work.name, work.version);

  const shown: Part = part === 'manifest' && open.manifest ? 'manifest' : 'source';
  const doc = open[shown];
  const ofAgent = work.name === agentFile;
  const uriOf = useCallback((p: Part) => `file:///${agent.id}/${work.name}${ofAgent ? '' : p === 'source' ? '/index.js' : '/manifest.json'}`, [agent.id, ofAgent, work.name]);
  const { problems, ctx, fixes } = useProblems(work, declared, open, found, uriOf);
  // Lines move while a text is edited: the values of the last run are those of what is saved.
  const hints = shown === 'source' && doc && !isDirty(doc) ? ran : noHints;

  // Our own markers make the editor report as well: only what is new may change the state.
  const onFound = useCallback((uri: string, list: Marker[]) => {
    setFound((f) => (JSON.stringify(f[uri] ?? []) === JSON.stringify(list) ? f : { ...f, [uri]: list }));
  }, []);
  const markers = useMemo(
    () => problems.filter((p) => p.part === shown && p.from === 'check' && p.line > 0).map(({ line, column, message, code, severity }) => ({ line, column, message, code, severity })),
    [problems, shown],
  );
  const fix = (edit: ManifestEdit) => {
    const { manifest, source } = docs.get(id);
    const next = manifest ? editText(manifest.mine, [edit]) : source && editHeader(source.mine, [edit]);
    if (next === undefined) return notifications.show({ color: 'yellow', message: manifest ? t('Add {label} by hand: the manifest is no JSON now.', { label: edit.label }) : t('Add {label} by hand: {whereElse}.', { label: edit.label, whereElse: whereElse(work) }) });
    docs.edit(id, manifest ? 'manifest' : 'source', next);
    announce(t('{label} is in the manifest, not saved yet', { label: edit.label }));
    notifications.show({ message: t('{label} is in the manifest; save to use it.', { label: edit.label }) });
  };

  const save = useCallback(async (): Promise<boolean> => {
    if (!docs.request(id)) return true;
    setSaving(true);
    // Formatting is a comfort: a text it cannot read is saved as it is.
    if (formatting && editor.current) {
      await editor.current.format().catch(() => undefined);
      const other: Part = shown === 'source' ? 'manifest' : 'source';
      const text = docs.get(id)[other]?.mine;
      const neat = text === undefined ? undefined : await editor.current?.formatted(uriOf(other), text).catch(() => undefined);
      if (neat !== undefined && docs.get(id)[other]?.mine === text) docs.edit(id, other, neat);
    }
    const request = docs.request(id);
    if (!request) {
      setSaving(false);
      return true;
    }
    setRefused(undefined);
    try {
      const now = await saveWork(client, agent.id, work.name, request);
      docs.saved(id, request, now);
      editor.current?.settled();
      cache.setQueryData(keys.workFunction(agent.id, work.name), now);
      void cache.invalidateQueries({ queryKey: keys.work(agent.id) });
      announce(now.broken ? t('Saved, with {n, plural, one {# error} other {# errors}}', { n: now.errors.length }) : !versioned ? t('Saved') : t('Saved, version {version}', { version: now.version }));
      return !now.broken;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'VERSION_CONFLICT') {
        docs.conflicted(id, (error.details ?? {}) as SaveConflict);
        announce(t('The file was changed outside. Both versions are shown.'));
      } else {
        setRefused(messageOf(error));
      }
      return false;
    } finally {
      setSaving(false);
    }
  }, [agent.id, announce, cache, client, docs, formatting, id, shown, uriOf, versioned, work.name]);

  useEffect(() => {
    saveRef.current = save;
    return () => void (saveRef.current = undefined);
  }, [save, saveRef]);
  useCommand('save', () => void save());
  const jump = useCallback(
    (p: PlacedProblem) => {
      setPart(p.part);
      setAgainst(undefined);
      if (p.part === 'manifest') setForm(false);
      setWish({ ...p });
    },
    [setForm],
  );
  const at = useRef(-1);
  useCommand('nextProblem', () => {
    if (problems.length === 0) return announce(t('No problems'));
    at.current = (at.current + 1) % problems.length;
    const p = problems[at.current]!;
    jump(p);
    announce(p.message);
  });

  const act = (action: string) => () => editor.current?.act(action);
  useCommand('quickFix', act('editor.action.quickFix'));
  useCommand('goToSymbol', act('editor.action.quickOutline'));

  useEffect(() => {
    if (!target) return;
    setPart(target.part ?? 'source');
    if (target.part === 'manifest') setForm(false);
    setAgainst(undefined);
    setWish(target);
  }, [setForm, target]);
  useEffect(() => {
    if (compare) setAgainst(compare.version);
  }, [compare]);
  // After the text and its tab are there.
  const ready = useCallback(
    (handle: EditorHandle | null) => {
      editor.current = handle;
      if (handle && wish && wish.line > 0) {
        handle.reveal(wish.line, wish.column);
        setWish(undefined);
      }
    },
    [wish],
  );

  const conflict = docs.conflict(id);
  const dirty = docs.isDirty(id);
  const language = ofAgent ? 'agentmd' : shown === 'source' ? 'javascript' : 'json';
  const path = work[shown]?.path || (shown === 'source' ? 'index.js' : 'manifest.json');
  const theirs = doc?.theirs;
  return (
    <div className={classes.pane}>
      <EditorTabs
        agent={agent}
        work={work}
        open={open}
        shown={shown}
        onShow={setPart}
        form={form}
        onForm={setForm}
        against={against}
        onAgainst={setAgainst}
        dirty={dirty}
        conflict={conflict !== undefined}
        saving={saving}
        formatting={formatting}
        onFormatting={setFormatting}
        onSave={() => void save()}
      />
      {refused && (
        <div className={classes.refused}>
          <ErrorBox title={refused} onRetry={() => void save()} />
        </div>
      )}
      {gone && <GoneNotice name={work.name} busy={saving} onMake={() => void save()} onDiscard={() => docs.forget(id)} />}
      {open.restoredFrom && <RestoredNotice at={open.restoredFrom} onKeep={() => docs.keepRestored(id)} onDiscard={() => docs.discard(id)} />}
      <div className={classes.editor}>
        {doc && theirs ? (
          <ConflictView
            key={uriOf(shown)}
            doc={{ ...doc, theirs }}
            path={path}
            language={language}
            onEdit={(text) => docs.edit(id, shown, text)}
            onResolve={(text, andSave) => {
              docs.resolve(id, shown, text);
              if (andSave) void save();
              else notifications.show({ message: t('{path} is now what is on disk', { path }) });
            }}
          />
        ) : doc && against !== undefined ? (
          <AgainstView key={`${uriOf(shown)}#${against}`} agent={agent.id} name={work.name} part={shown} language={language} doc={doc} against={against} onEdit={(text) => docs.edit(id, shown, text)} onClose={() => setAgainst(undefined)} />
        ) : doc && shown === 'manifest' && form ? (
          <ManifestForm text={doc.mine} onChange={(text) => docs.edit(id, 'manifest', text)} />
        ) : (
          doc && (
            <CodeEditor
              ref={ready}
              uri={uriOf(shown)}
              language={language}
              text={doc.mine}
              label={t('{path} of {name}', { path, name: ofAgent ? agent.username : work.name })}
              markers={markers}
              ctx={ctx}
              hints={hints}
              fixes={fixes}
              onFix={fix}
              onChange={(text) => docs.edit(id, shown, text)}
              onFound={onFound}
            />
          )
        )}
      </div>
      {problems.length > 0 && (
        <section ref={keepClear} className={classes.problems} aria-label={ofAgent ? t('Problems of AGENT.md') : t('Problems of the function')}>
          <div className={classes.problemsHead}>
            {t('{n, plural, one {# error} other {# errors}}', { n: problems.filter((p) => p.severity === 'error').length })}, {t('{n, plural, one {# warning} other {# warnings}}', { n: problems.filter((p) => p.severity === 'warning').length })}
            {work.broken && work.version > 0 && <span className={classes.serving}>{ofAgent ? t('what cannot be read keeps serving as it was') : !versioned ? t('what loaded last still serves') : t('version {version} still serves', { version: work.version })}</span>}
          </div>
          <ProblemsList file={ofAgent ? agentFile : undefined} problems={problems} onJump={jump} />
        </section>
      )}
    </div>
  );
}

/** Why there is no manifest to edit. */
function whereElse(work: WorkFunction): string {
  if (work.layout !== 'module') return t('{name} has no manifest.json', { name: work.name });
  if (work.handlers?.some((h) => h.own)) return t('what its handlers may do stands in AGENT.md');
  return t('{name} has no {name2}.json beside it', { name: work.name, name2: work.name.replace(/^.*\/|\.\w+$/g, '') });
}
