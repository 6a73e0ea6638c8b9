import { t } from '../i18n/t';

/** Files that one drop gives at most: a folder may be larger than anybody meant. */
const mostFiles = 500;

/** Reports whether files are being dragged, and not a piece of text. */
export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false;

/**
 * The files that were dropped. A folder gives those in it, without what is
 * hidden there. It has to be called while the drop is handled.
 */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  // A drop forgets what it brought as soon as its handler has returned.
  const brought = [...data.items].filter((it) => it.kind === 'file').map((it) => ({ entry: it.webkitGetAsEntry(), file: it.getAsFile() }));
  const files: File[] = [];
  for (const { entry, file } of brought) {
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, files);
    else if (file) files.push(file);
  }
  return files;
}

async function walk(folder: FileSystemDirectoryEntry, files: File[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A reader gives some of them at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const entry of some) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, files);
      else files.push(await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)));
      if (files.length > mostFiles) throw new Error(t('{name} has more than {n} files. Choose those that a function reads.', { name: folder.name, n: mostFiles }));
    }
  }
}

/** Takes files that are dropped where nothing wants them: a browser would show them in the page's place. */
export function refuseStrayDrops(target: Window): void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer || !hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  target.addEventListener('dragover', refuse);
  target.addEventListener('drop', refuse);
}
