/**
 * Gives a file to the person: a browser asks or puts it among the downloads, the
 * window puts it there too.
 */
export function saveFile(name: string, data: Blob | string, type = 'text/plain'): void {
  const url = URL.createObjectURL(typeof data === 'string' ? new Blob([data], { type }) : data);
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.click();
  // After the click has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
