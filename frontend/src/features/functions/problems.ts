import type { Problem, WorkFunction } from '../../api/contract.gen';
import type { Part } from './docs';

/** A finding with its place in one of the two texts. Line 0 means: of the whole. */
export interface PlacedProblem {
  part: Part;
  line: number;
  column: number;
  code: string;
  message: string;
  severity: 'error' | 'warning';
  /** Who found it: the platform's check, or the editor's language service. */
  from: 'check' | 'editor';
}

/** The platform's findings, each with the text it is about. */
export function placed(work: WorkFunction): PlacedProblem[] {
  const place = (p: Problem, severity: PlacedProblem['severity']): PlacedProblem => ({
    part: partOf(p, work),
    line: p.line ?? p.loc?.line ?? 0,
    column: p.column ?? p.loc?.column ?? 1,
    code: p.code,
    message: p.message,
    severity,
    from: 'check',
  });
  return [...(work.errors ?? []).map((p) => place(p, 'error')), ...(work.warnings ?? []).map((p) => place(p, 'warning'))];
}

function partOf(p: Problem, work: WorkFunction): Part {
  if (!work.manifest) return 'source';
  if (p.file) return work.manifest.path && p.file.endsWith(fileName(work.manifest.path)) ? 'manifest' : 'source';
  // Without a file the path inside the manifest tells them apart.
  return p.path || p.code.startsWith('INVALID_') || p.code.includes('MANIFEST') || p.code.includes('RUNTIME') ? 'manifest' : 'source';
}

function fileName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Errors first, then by text and line. */
export function ordered(problems: readonly PlacedProblem[]): PlacedProblem[] {
  return [...problems].sort(
    (a, b) =>
      Number(a.severity === 'warning') - Number(b.severity === 'warning') ||
      a.part.localeCompare(b.part) * -1 ||
      a.line - b.line ||
      a.column - b.column,
  );
}
