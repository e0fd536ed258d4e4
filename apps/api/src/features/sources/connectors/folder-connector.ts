import { constants, lstat as lstatWithCallback, watch, type FSWatcher, type Stats } from 'node:fs';
import { open, opendir, realpath, stat, lstat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { DomainError, type FolderConfig } from '@docwright/contract';
import { codeOf, copyWithoutOverwriting, folderNotAllowed, isWithin, makeFolder } from './folder-copies.ts';
import { filesPerBatch, type Connector, type FoundFile } from './connector.ts';

/**
 * Files of a folder on the server's disk. The operator binds directories to organizations; links are never followed, so
 * that no file outside of the directory is read, moved or deleted.
 */
export function createFolderConnector(config: FolderConfig, allowed: readonly string[]): Connector {
  const { afterwards } = config;
  const ignored = config.ignore.map((pattern) => pattern.toLowerCase());
  const isIgnored = (name: string) => {
    const lower = name.toLowerCase();
    return ignored.some((pattern) => canFit(pattern, lower) && fitsGlob(pattern, lower));
  };

  /** A folder without links. Throws `folder_not_allowed`, `folder_missing`. */
  async function allowedFolder(wanted: string): Promise<string> {
    const folder = await realpath(wanted).catch(() => {
      throw new DomainError('invalid', 'folder_missing', 'The folder of the source does not exist. Check its path.');
    });
    const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => undefined)));
    if (!roots.some((root) => root !== undefined && isWithin(root, folder))) throw folderNotAllowed();
    return folder;
  }
  const base = () => allowedFolder(config.path);
  /** Where files go that are documents; below the source's folder if it is not an absolute path. */
  const target = async () =>
    afterwards.folder === undefined ? undefined : await allowedFolder(path.resolve(config.path, afterwards.folder));

  /** The place of a file, if no folder on the way has become a link. */
  async function placeOf(folder: string, identity: string): Promise<string> {
    const place = path.join(folder, identity);
    if (!isWithin(folder, await realpath(place))) throw folderNotAllowed();
    return place;
  }

  return {
    async *list(signal, { onProblem, onUnsettled }) {
      const folder = await base();
      const leftOut = await target();
      const settleMs = config.settle_seconds * 1000;
      const waiting: { at: string; depth: number }[] = [{ at: '', depth: 0 }];
      let found: FoundFile[] = [];
      let names: string[] = [];
      let folders = 0;

      async function look(): Promise<void> {
        const seen = await statsOf(names.map((name) => path.join(folder, name)));
        for (const [index, stats] of seen.entries()) {
          const name = names[index] ?? '';
          // Such a name cannot be told from others in a text, and its file cannot be opened by it.
          if (stats === undefined && name.includes('\ufffd')) onProblem(name, nameUnusable());
          if (!stats?.isFile()) continue;
          // A file that is still written changes its time; a copy that keeps old times changes its entry.
          // A time far in the future is a wrong clock's.
          const now = Date.now();
          const times = [stats.mtimeMs, stats.ctimeMs].filter((time) => time < now + maxSkewMs);
          const quiet = now - Math.max(0, ...times);
          if (settleMs > 0 && quiet < settleMs) onUnsettled(settleMs - quiet);
          else found.push(foundOf(name, stats));
        }
        names = [];
      }

      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { at, depth } = next;
        const directory = await opendir(path.join(folder, at), { bufferSize: filesPerBatch }).catch(
          (error: unknown) => {
            onProblem(at, error);
          },
        );
        for await (const entry of directory ?? []) {
          signal.throwIfAborted();
          if (isIgnored(entry.name)) continue;
          const identity = path.posix.join(at, entry.name);
          // Links are neither files nor folders here.
          if (entry.isDirectory() && depth < config.depth && path.join(folder, identity) !== leftOut) {
            if ((folders += 1) > maxFolders) throw tooManyFolders();
            waiting.push({ at: identity, depth: depth + 1 });
          }
          if (!entry.isFile()) continue;
          names.push(identity);
          if (names.length < filesPerBatch) continue;
          await look();
          yield found;
          found = [];
        }
      }
      await look();
      if (found.length > 0) yield found;
    },
    async read(file) {
      const folder = await base();
      const place = await placeOf(folder, file.identity).catch(undefinedIfGone);
      if (place === undefined) return undefined;
      // A pipe that has taken the file's place would keep a thread of the process until somebody writes to it.
      const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
        undefinedIfGone,
      );
      if (handle === undefined) return undefined;
      try {
        await placeOf(folder, file.identity);
        if (foundOf(file.identity, await handle.stat()).version !== file.version) return undefined;
        const bytes = await handle.readFile();
        if (foundOf(file.identity, await handle.stat()).version !== file.version) return undefined;
        const folders = path.posix.dirname(file.identity).split('/');
        const tagNames = config.subfolder_tags ? folders.filter((name) => name !== '.') : [];
        return [{ name: path.posix.basename(file.identity), bytes, tagNames }];
      } finally {
        await handle.close();
      }
    },
    async check() {
      await base();
      await target();
    },
    async existing(identities) {
      const folder = await base();
      // A file that cannot be looked up for a while, with its folder or its disk, is not gone.
      const isThere = (identity: string) =>
        stat(path.join(folder, identity)).then(
          () => true,
          (error: unknown) => !isGone(error),
        );
      const there = await Promise.all(identities.map(isThere));
      return new Set(identities.filter((_, index) => there[index]));
    },
    settle:
      afterwards.do === 'leave'
        ? undefined
        : async (file) => {
            const folder = await base();
            const place = await placeOf(folder, file.identity).catch(() => undefined);
            if (place === undefined) return 'gone';
            const stats = await lstat(place);
            // Somebody has written to it since; the next sync takes it first.
            if (!stats.isFile() || foundOf(file.identity, stats).version !== file.version) return 'kept';
            const to = await target();
            if (to !== undefined) {
              await makeFolder(to, path.posix.dirname(file.identity));
              if (!(await copyWithoutOverwriting(place, path.join(to, file.identity), stats))) return 'kept';
            }
            await unlink(place);
            return 'gone';
          },
    async watch(onChange) {
      const watchers = new Map<string, FSWatcher>();
      const forget = (at: string) => {
        watchers.get(at)?.close();
        watchers.delete(at);
      };
      /** Watches the folder and those below, of which new ones are found at a change. */
      async function follow(folder: string, at: string, depth: number): Promise<void> {
        if (watchers.size >= maxWatchedFolders) return;
        if (!watchers.has(at)) {
          const changed = (event: string) => {
            onChange();
            if (event === 'rename') void follow(folder, at, depth).catch(() => forget(at));
          };
          const watcher = watch(path.join(folder, at), { persistent: false }, changed);
          watchers.set(
            at,
            watcher.on('error', () => forget(at)),
          );
        }
        if (depth >= config.depth) return;
        for await (const entry of await opendir(path.join(folder, at), { bufferSize: filesPerBatch })) {
          const below = path.posix.join(at, entry.name);
          if (entry.isDirectory() && !isIgnored(entry.name) && !watchers.has(below)) {
            await follow(folder, below, depth + 1);
          }
        }
      }
      await follow(await base(), '', 0);
      return () => {
        for (const at of watchers.keys()) forget(at);
      };
    },
    async close() {},
  };
}

const isGone = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** For a file that was moved or deleted since it was listed. */
function undefinedIfGone(reason: unknown): undefined {
  if (!isGone(reason)) throw reason;
}

function foundOf(identity: string, { size, mtimeMs, ctimeMs, ino }: Stats): FoundFile {
  return { identity, size, version: `${size}:${mtimeMs}:${ctimeMs}:${ino}` };
}

/** Without a promise for each file, which would cost as much as the calls. */
function statsOf(places: readonly string[]): Promise<(Stats | undefined)[]> {
  return new Promise((resolve) => {
    const all = Array.from<Stats | undefined>({ length: places.length });
    let missing = places.length;
    if (missing === 0) resolve(all);
    for (const [index, place] of places.entries()) {
      lstatWithCallback(place, (_error, stats) => {
        all[index] = stats;
        missing -= 1;
        if (missing === 0) resolve(all);
      });
    }
  });
}

const maxSkewMs = 60_000;
const maxWatchedFolders = 500;

/** Whether the first and last characters can be right: cheap, and false for almost all. */
function canFit(pattern: string, name: string): boolean {
  const fits = (wanted: string | undefined, found: string | undefined) =>
    wanted === '*' || wanted === '?' || wanted === found;
  return fits(pattern[0], name[0]) && fits(pattern.at(-1), name.at(-1));
}

/**
 * Whether a name fits a pattern, in which `*` stands for any text and `?` for one character. A regular expression would take
 * exponential time for patterns with many stars; going back to the last star alone suffices.
 */
function fitsGlob(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let index = 0; index < name.length;) {
    if (pattern[at] === '*') {
      star = at;
      starAt = index;
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === name[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      starAt += 1;
      index = starAt;
    } else return false;
  }
  return /^\**$/u.test(pattern.slice(at));
}

function nameUnusable(): DomainError {
  const message = 'The name of the file is not written in UTF-8. Rename the file.';
  return new DomainError('invalid', 'file_unreadable', message);
}

/** Of one source. A file system that holds itself somewhere has folders without end. */
const maxFolders = 1_000_000;

function tooManyFolders(): DomainError {
  const message = `The folder has more than ${maxFolders.toLocaleString('en')} folders below it. Choose a folder further down, or less depth.`;
  return new DomainError('invalid', 'source_too_large', message);
}
