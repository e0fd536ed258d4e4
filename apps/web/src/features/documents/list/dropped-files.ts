/** A dropped file or folder, as browsers give it. */
interface Entry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
  file?(resolve: (file: File) => void, reject: (error: unknown) => void): void;
  createReader?(): { readEntries(resolve: (entries: Entry[]) => void, reject: (error: unknown) => void): void };
}

/** More files than these are not read from folders. */
export const maxDroppedFiles = 5_000;

/** Files that systems add to folders. */
const isHidden = (name: string) => name.startsWith('.') || ['Thumbs.db', 'desktop.ini'].includes(name);

interface DroppedFiles {
  files: File[];
  /** Whether the folders have more files than are read. */
  isCut: boolean;
}

/** The dropped files, with those of dropped folders and the folders in them, in order of their names. */
export async function droppedFiles(transfer: Pick<DataTransfer, 'items' | 'files'>): Promise<DroppedFiles> {
  // The list is empty as soon as the event has been handled: it is read before anything is awaited.
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.webkitGetAsEntry?.() as Entry | null | undefined;
    return entry ? [entry] : [];
  });
  const files = [...transfer.files];
  if (!entries.some(({ isDirectory }) => isDirectory)) return { files, isCut: false };
  const found: File[] = [];
  for (const entry of entries) await collect(entry, found);
  return { files: found.slice(0, maxDroppedFiles), isCut: found.length > maxDroppedFiles };
}

async function collect(entry: Entry, found: File[]): Promise<void> {
  // One more than are taken shows that there are more.
  if (found.length > maxDroppedFiles) return;
  if (entry.isFile) {
    found.push(await new Promise<File>((resolve, reject) => entry.file?.(resolve, reject)));
    return;
  }
  const reader = entry.createReader?.();
  if (!reader) return;
  const inside: Entry[] = [];
  for (;;) {
    // A browser returns a hundred entries at a time, and none at the end.
    const next = await new Promise<Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (next.length === 0) break;
    inside.push(...next);
  }
  const byName = inside.filter(({ name }) => !isHidden(name)).toSorted((a, b) => a.name.localeCompare(b.name));
  for (const each of byName) await collect(each, found);
}
