import { useMemo } from 'react';
import type { WorkFunction } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { permissionsOf, together } from '../../manifest/grants';
import { headerOf } from '../../manifest/header';
import { parseJson } from '../../ui/json';
import type { FunctionDocs, Part } from './docs';
import type { Marker, QuickFix } from './editor/CodeEditor';
import { endpointCtx } from './editor/endpointCtx';
import { narrowedCtx } from './editor/narrow';
import { ungranted } from './editor/ungranted';
import { ordered, placed, type PlacedProblem } from './problems';

const notGranted = /NotGranted<("(?:[^"\\]|\\.)*")>/;

/** What the language service found, as the manifest would say it where that is what it is about. */
export function inWords(message: string): string {
  const needs = notGranted.exec(message)?.[1];
  return needs ? t('Not granted: add {needs} to the permissions of the manifest', { needs: JSON.parse(needs) as string }) : message;
}

/** Whether a source declares the type of ctx, so that the language service checks it. */
const declaresCtx = /\{\s*(?:Ctx|EndpointHandler|EndpointStream)\s*\}/;

/**
 * What is wrong with the texts of a function: what the platform found in what is
 * saved, what the editor found in what is written, and what ctx is asked for
 * that the manifest, as it is written now, does not grant.
 */
export function useProblems(work: WorkFunction, declared: unknown, open: FunctionDocs, found: Record<string, Marker[]>, uriOf: (part: Part) => string) {
  const manifestText = open.manifest?.mine;
  const handlers = work.handlers;
  // AGENT.md is no source: what it says is checked by the platform alone.
  const source = work.layout === 'agent' ? '' : (open.source?.mine ?? '');
  const header = useMemo(() => (manifestText === undefined ? headerOf(source) : undefined), [manifestText, source]);
  const headerText = JSON.stringify(header);
  const permissions = useMemo(() => {
    // Where AGENT.md says what handlers may do, what any of them may is granted here.
    if (handlers?.some((h) => h.own) || (handlers && manifestText === undefined && headerText === undefined)) return together(handlers.map((h) => permissionsOf(h.manifest)));
    const text = manifestText ?? headerText;
    const written = text === undefined ? undefined : parseJson(text);
    // While a manifest is half written, what serves says what is granted.
    return permissionsOf(written?.ok ? written.value : declared);
  }, [manifestText, headerText, declared, handlers]);
  const module = work.layout === 'module';
  const ctx = useMemo(() => narrowedCtx(permissions) + (module ? endpointCtx(handlers ?? []) : ''), [permissions, module, handlers]);
  const denied = useMemo(() => ungranted(source, permissions, module ? undefined : work.name), [source, permissions, module, work.name]);
  const problems = useMemo(() => {
    // A module may declare the type for one of its handlers and not for another.
    const typed = !module && declaresCtx.test(source);
    // With a declared type the language service says it, unless it cannot know: one of several folders, an address.
    const told = new Set((found[uriOf('source')] ?? []).filter((m) => m.severity === 'error').map((m) => m.line));
    const ours = denied.filter((d) => !typed || !d.typed || !told.has(d.line));
    const lines = new Set(ours.map((d) => d.line));
    const fromEditor = (['source', 'manifest'] as const).flatMap((p) =>
      (found[uriOf(p)] ?? []).filter((m) => p !== 'source' || !m.message.includes('NotGranted<') || !lines.has(m.line)).map((m): PlacedProblem => ({ part: p, from: 'editor', ...m, message: inWords(m.message) })),
    );
    const fromManifest = ours.map((d): PlacedProblem => ({ part: 'source', from: 'check', line: d.line, column: d.column, code: 'NOT_GRANTED', severity: 'error', message: t('{what} is not granted: add {needs} to the permissions of the manifest', { what: d.what, needs: d.needs }) }));
    return ordered([...placed(work), ...fromManifest, ...fromEditor]);
  }, [work, module, denied, source, found, uriOf]);
  const fixes = useMemo(() => denied.flatMap((d): QuickFix[] => d.edits.map((edit) => ({ line: d.line, edit }))), [denied]);
  return { problems, ctx, fixes };
}
