import { constants } from 'node:fs';
import { open, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { DomainError, type FolderConfig } from '@docwright/contract';

/** A file of a source, before it is read. */
export interface FoundFile {
  /** The same for every sight of one file: its path below the folder. */
  identity: string;
  size: number;
  /** Changes whenever the content might have. */
  version: string;
}

/** Where a source takes its files from. */
export interface Connector {
  /** All files that are complete, a few hundred at a time. Calls `onProblem` for what it cannot see. */
  list(signal: AbortSignal, onProblem: (file: string, error: unknown) => void): AsyncGenerator<FoundFile[]>;
  /** The bytes of a file; undefined if it has changed since it was found, so that the next sync takes it. */
  read(file: FoundFile): Promise<Uint8Array | undefined>;
  /** Throws if it cannot be read at all. */
  check(): Promise<void>;
  /** Whether the file still exists. */
  has(identity: string): Promise<boolean>;
}

const filesPerBatch = 500;

/**
 * Files of a folder on the server's disk. The operator binds directories to organizations; links are never followed, so
 * that no file outside of the directory is read.
 */
export function createFolderConnector(config: FolderConfig, allowed: readonly string[]): Connector {
  const ignored = config.ignore.map(globOf);
  const isIgnored = (name: string) => ignored.some((pattern) => pattern.test(name));

  /** The folder without links. Throws `folder_not_allowed`, `folder_missing`. */
  async function base(): Promise<string> {
    const folder = await realpath(config.path).catch(() => {
      throw new DomainError('invalid', 'folder_missing', 'The folder of the source does not exist. Check its path.');
    });
    const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => undefined)));
    if (!roots.some((root) => root !== undefined && isWithin(root, folder))) throw folderNotAllowed();
    return folder;
  }

  const foundOf = (identity: string, { size, mtimeMs, ctimeMs, ino }: Awaited<ReturnType<typeof stat>>): FoundFile => ({
    identity,
    size: Number(size),
    version: `${size}:${mtimeMs}:${ctimeMs}:${ino}`,
  });

  return {
    async *list(signal, onProblem) {
      const folder = await base();
      let batch: FoundFile[] = [];
      const waiting: { at: string; depth: number }[] = [{ at: '', depth: 0 }];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const directory = await opendir(path.join(folder, next.at)).catch((error: unknown) => {
          onProblem(next?.at ?? '', error);
        });
        for await (const entry of directory ?? []) {
          signal.throwIfAborted();
          if (isIgnored(entry.name)) continue;
          const identity = path.posix.join(next.at, entry.name);
          // Links are neither files nor folders here.
          if (entry.isDirectory() && next.depth < config.depth) waiting.push({ at: identity, depth: next.depth + 1 });
          if (!entry.isFile()) continue;
          const seen = await stat(path.join(folder, identity)).catch(() => undefined);
          if (seen === undefined) continue;
          // A file that is still written changes its time; a copy that keeps old times changes its entry.
          const quiet = Date.now() - Math.max(seen.mtimeMs, seen.ctimeMs);
          if (quiet < config.settle_seconds * 1000) continue;
          batch.push(foundOf(identity, seen));
          if (batch.length === filesPerBatch) {
            yield batch;
            batch = [];
          }
        }
      }
      if (batch.length > 0) yield batch;
    },
    async read(file) {
      const folder = await base();
      const place = path.join(folder, file.identity);
      const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        // A folder on the way can have become a link meanwhile.
        if (!isWithin(folder, await realpath(place))) throw folderNotAllowed();
        if (foundOf(file.identity, await handle.stat()).version !== file.version) return undefined;
        const bytes = await handle.readFile();
        return foundOf(file.identity, await handle.stat()).version === file.version ? bytes : undefined;
      } finally {
        await handle.close();
      }
    },
    async check() {
      await base();
    },
    async has(identity) {
      const folder = await base();
      return await stat(path.join(folder, identity)).then(
        () => true,
        () => false,
      );
    },
  };
}

function isWithin(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

/** `*` stands for any text, `?` for one character; case does not matter. */
function globOf(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\*+/gu, '.*').replaceAll('?', '.')}$`, 'iu');
}

function folderNotAllowed(): DomainError {
  const message = 'The operator has not bound this folder to the organization. INLET_DIRS names the folders of each.';
  return new DomainError('invalid', 'folder_not_allowed', message);
}
