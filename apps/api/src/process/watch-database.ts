import { randomBytes } from 'node:crypto';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { isDiskFull, openDatabase } from '../platform/database/connection.ts';
import type { Readiness } from '../platform/http/readiness.ts';

const intervalMs = 5_000;
const answersWithinMs = 4_000;
/**
 * A full disk often accepts a few more bytes, so this much is written once a minute, and while the disk is known to be
 * full.
 */
const padding = 'x'.repeat(64_000);
const probesPerPadding = 12;
/** The file is checked once a day, so that a sound one is asked about once a minute. */
const probesPerIntegrity = 12;
/** Below this, the embedded database cannot store a file and its records. */
const minFreeBytes = 32 * 1024 * 1024;
/**
 * A file that occupies space while little is left, and is removed when all is used: a deletion needs some before it frees
 * any, and other programs might have taken the rest.
 */
const reserveBytes = 16 * 1024 * 1024;
const lowBytes = 256 * 1024 * 1024;
const plentyBytes = lowBytes + reserveBytes;
const reserveFile = (dataDir: string) => path.join(dataDir, 'reserve');

/**
 * Writes and reads a small document every few seconds, so that `/ready` reports a server that answers but does not
 * work: a gateway without its database, a full disk, a damaged file. Returns a function that stops it.
 */
export function watchDatabase(
  connection: Connection,
  readiness: Readiness,
  log: Pick<Logger, 'error' | 'info'>,
  { everyMs = intervalMs, dataDir }: { everyMs?: number; dataDir?: string | undefined } = {},
): () => Promise<void> {
  const stop = new AbortController();
  const watching = (async () => {
    let previousReason = '';
    let isFull = false;
    let isSound = false;
    let hadPlenty = false;
    for (let count = 0; !stop.signal.aborted; count++) {
      const free = await freeBytes(dataDir);
      // A reserve that was removed stays away, without another look, until space is low.
      if (dataDir !== undefined && !(hadPlenty && free > plentyBytes)) await keepReserve(dataDir, free);
      hadPlenty = free > plentyBytes;
      const state: State =
        (free < minFreeBytes ? diskIsFull : undefined) ??
        (await stateOf(connection, {
          withPadding: isFull || count % probesPerPadding === 0,
          withIntegrity: !isSound || count % probesPerIntegrity === 0,
        }));
      const { missing, reason } = state;
      isFull = missing === 'disk';
      isSound = missing === undefined;
      if (stop.signal.aborted) return;
      for (const part of ['database', 'disk'] as const) readiness[part === missing ? 'down' : 'up'](part);
      if (reason !== previousReason && reason !== '')
        log.error({ part: 'database', reason }, 'the database cannot be used');
      if (reason !== previousReason && reason === '') log.info({ part: 'database' }, 'the database can be used again');
      previousReason = reason;
      await wait(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  })();
  return async () => {
    stop.abort();
    await Promise.race([watching, wait(answersWithinMs, undefined, { ref: false })]);
  };
}

interface State {
  missing?: 'database' | 'disk';
  /** Empty if the database works. */
  reason: string;
}

const diskIsFull: State = { missing: 'disk', reason: 'its disk is full' };

/** The free disk space, known for the embedded database only. */
async function freeBytes(dataDir: string | undefined): Promise<number> {
  if (dataDir === undefined) return Infinity;
  const { bavail, bsize } = await statfs(dataDir).catch(() => ({ bavail: Infinity, bsize: 1 }));
  return bavail * bsize;
}

/** Gives the reserve to a database that starts on a full disk, which could not start without it to delete anything. */
export async function releaseReserve(dataDir: string): Promise<void> {
  const free = await freeBytes(dataDir);
  if (free < minFreeBytes) await keepReserve(dataDir, free);
}

/** Makes the reserve while space is low, and removes it when all space is used, or plenty is free again. */
export async function keepReserve(dataDir: string, free: number): Promise<void> {
  const file = reserveFile(dataDir);
  if (free < minFreeBytes || free > plentyBytes) await rm(file, { force: true }).catch(() => undefined);
  else if (free > minFreeBytes + 2 * reserveBytes && free < lowBytes && !(await isThere(file))) {
    // Random, so that no file system stores it in less.
    await writeFile(file, randomBytes(reserveBytes), { mode: 0o600 }).catch(async () => rm(file, { force: true }));
  }
}

async function isThere(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

interface ProbeExtent {
  withPadding: boolean;
  withIntegrity: boolean;
}

async function stateOf(connection: Connection, extent: ProbeExtent): Promise<State> {
  const late = wait(answersWithinMs, { missing: 'database', reason: 'it does not answer in time' } as const, {
    ref: false,
  });
  return await Promise.race([probe(connection, extent), late]);
}

async function probe(connection: Connection, { withPadding, withIntegrity }: ProbeExtent): Promise<State> {
  try {
    const db = openDatabase(connection);
    const probes = db.collection<{ _id: string; at?: Date; padding?: string }>('probes');
    const written = { at: new Date(), ...(withPadding && { padding }) };
    await probes.updateOne(
      { _id: 'ready' },
      { $set: written, ...(!withPadding && { $unset: { padding: 1 } }) },
      { upsert: true },
    );
    if (!withIntegrity) return { reason: '' };
    const integrity: { state?: string; problem?: string } = await db
      .admin()
      .command({ docwrightIntegrity: 1 })
      // Other servers do not know the command.
      .catch(() => ({ state: 'sound' }));
    if (integrity.state !== 'damaged') return { reason: '' };
    return { missing: 'database', reason: `its file is damaged: ${integrity.problem}` };
  } catch (error) {
    if (isDiskFull(error)) return diskIsFull;
    return { missing: 'database', reason: (error as Error).message.slice(0, 300) };
  }
}
