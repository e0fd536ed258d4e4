import { createHash } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, realpath, rename, rm, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@docwright/contract';

const maxNames = 1_000;

/** Makes a folder below another one. Throws `folder_not_allowed` if a link on the way leads out of it. */
export async function makeFolder(root: string, below: string): Promise<void> {
  let folder = root;
  for (const part of below.split('/')) {
    folder = path.join(folder, part);
    await mkdir(folder, { recursive: true });
    if (!isWithin(root, await realpath(folder))) throw folderNotAllowed();
  }
}

/** The file at another place, under another name if that is taken. False, without a copy, if it was written to meanwhile. */
export async function copyWithoutOverwriting(from: string, wanted: string, stats: Stats): Promise<boolean> {
  const { dir, name, ext } = path.parse(wanted);
  for (let count = 1; count <= maxNames; count += 1) {
    const to = count === 1 ? wanted : path.join(dir, `${name} (${count})${ext}`);
    const there = await lstat(to).catch(() => undefined);
    // A former attempt was killed after this step.
    if (there !== undefined && (await isCopyOf(to, there, from, stats))) return true;
    if (there !== undefined) continue;
    try {
      await link(from, to);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      // Another file system, or one without hard links.
      const outcome = await copyAs(from, to, stats);
      if (outcome !== 'taken') return outcome === 'copied';
    }
  }
  throw new DomainError('invalid', 'folder_full', 'The folder for files that were taken has too many of this name.');
}

/**
 * A copy that has its name once it is whole, with the time of the file: a killed attempt leaves at most a hidden part, which the next one
 * replaces. Nothing is left if the file was written to meanwhile.
 */
async function copyAs(
  from: string,
  to: string,
  { ino, mtime, mtimeMs }: Stats,
): Promise<'copied' | 'changed' | 'taken'> {
  const part = path.join(path.dirname(to), `.${ino}.part`);
  await rm(part, { force: true });
  await copyFile(from, part, constants.COPYFILE_EXCL);
  await utimes(part, mtime, mtime);
  const now = await lstat(from).catch(() => undefined);
  if (now?.ino !== ino || now.mtimeMs !== mtimeMs) {
    await unlink(part);
    return 'changed';
  }
  try {
    await link(part, to);
    await unlink(part);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'taken';
    await rename(part, to);
  }
  return 'copied';
}

/** Whether a former attempt has made this file of that one: a link to it, or a copy with its time and bytes. */
async function isCopyOf(to: string, there: Stats, from: string, { ino, dev, size, mtimeMs }: Stats): Promise<boolean> {
  if (there.ino === ino && there.dev === dev) return true;
  // Times of some file systems have two seconds.
  if (!there.isFile() || there.size !== size || Math.abs(there.mtimeMs - mtimeMs) > 2_000) return false;
  const [one, other] = await Promise.all([to, from].map(digestOf));
  return one === other;
}

async function digestOf(place: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(place), hash);
  return hash.digest('hex');
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function isWithin(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

export function folderNotAllowed(): DomainError {
  const message = 'The operator has not bound this folder to the organization. INLET_DIRS names the folders of each.';
  return new DomainError('invalid', 'folder_not_allowed', message);
}
