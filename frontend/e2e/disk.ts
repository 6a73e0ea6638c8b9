import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from './platform';

/** The folder of an open project. */
export async function folderOf(platform: Platform, username: string): Promise<string> {
  const { projects } = await platform.api<{ projects: { username: string; path: string }[] }>('GET', '/api/local/projects');
  const project = projects.find((p) => p.username === username);
  if (!project) throw new Error(`no open project ${username}`);
  return project.path;
}

/** Changes a file by another process, and in the way editors do it: a new file is renamed over the old one. */
export function editOutside(path: string, change: (text: string) => string): void {
  execFileSync('sh', ['-c', 'cat > "$1.tmp" && mv "$1.tmp" "$1"', 'sh', path], { input: change(readFileSync(path, 'utf8')) });
}

export function read(folder: string, ...path: string[]): string {
  return readFileSync(join(folder, ...path), 'utf8');
}
