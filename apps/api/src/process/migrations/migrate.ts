import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Model, mongo } from 'mongoose';
import { nameIndex } from '../../features/documents/records/document-model.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { createNameIndex } from '../../platform/database/name-search.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import { createLeases, type Leases } from '../../platform/leases/leases.ts';
import type { OtherProcess } from '../../platform/processes/running-process-repository.ts';
import type { Migration } from './migrations.ts';
import type { OnUnreadable } from './readable-records.ts';

interface MigrationState {
  _id: 'state';
  version: number;
  /** The oldest version that a process must know. Absent in databases from before it was kept. */
  needed?: number;
  locked_by?: string | null;
  locked_until?: Date | null;
}
const state = { _id: 'state' } as const;
const leaseMs = 60_000;

/** This release and the database, or this release and a running process, do not fit: one could damage the other's data. */
export class ReleaseMismatchError extends Error {
  override readonly name = 'ReleaseMismatchError';
}

/** The newest version of the database that a release with these migrations knows. */
export const latestOf = (migrations: readonly Migration[]): number =>
  Math.max(0, ...migrations.map(({ version }) => version));

/**
 * Creates the indexes of all registered models and runs pending migrations under a lease; a second process waits for the
 * first. This process must have announced itself before, so that a newer release knows of it.
 * @param others lists the other running processes; by default there are none.
 * @param onUnreadable is told of records that a migration leaves as they are.
 * @returns the database's version. It is beyond the last of `migrations` while a newer release runs beside this one.
 * @throws ReleaseMismatchError before any change, if a newer release has taken away what this one reads; and before a
 * migration that takes away what a running process reads.
 */
export async function migrate(
  connection: Connection,
  migrations: Migration[],
  others: () => Promise<OtherProcess[]> = async () => [],
  onUnreadable?: OnUnreadable,
): Promise<number> {
  const states = connection.collection<MigrationState>('migrations');
  const leases = migrationLeases(connection);
  // Another process might insert it at the same time.
  await states.updateOne(state, { $setOnInsert: { version: 0 } }, { upsert: true }).catch(ignoreDuplicateKey);
  let token: string | undefined;
  while ((token = (await leases.claim(state, { milliseconds: leaseMs }))?.token) === undefined) await sleep(200);
  const holder = token;
  const heartbeat = startHeartbeat(async () => (await leases.renew(state, holder, leaseMs)) !== undefined, leaseMs / 3);
  try {
    const stored = await states.findOne(state);
    let version = stored?.version ?? 0;
    let needed = stored?.needed ?? version;
    const latest = latestOf(migrations);
    if (needed > latest) {
      throw new ReleaseMismatchError(
        `The database is at version ${version} and needs a release that knows version ${needed}; this release knows ${latest}: start the newer release again, or restore the back-up made before the upgrade.`,
      );
    }
    await Promise.all(Object.values(connection.models).map(createIndexes));
    await createNameIndex(connection, nameIndex);
    for (const migration of migrations.filter((candidate) => candidate.version > version)) {
      if (migration.phase === 'contract') {
        requireKnown(migration, await others());
        needed = Math.max(needed, migration.after);
        // Before the migration: a process of an older release that starts after its end would damage data.
        await leases.write(state, holder, { $set: { needed } });
      }
      await migration.up(connection, onUnreadable);
      version = migration.version;
      await leases.write(state, holder, { $set: { version, needed } });
    }
    const running = await others();
    for (const migration of migrations) {
      const isKnown = running.every(({ databaseVersion }) => databaseVersion >= migration.version);
      if (isKnown) await migration.settle?.(connection);
    }
    return version;
  } finally {
    await heartbeat.stop();
    await leases.release(state, holder);
  }
}

/** @throws ReleaseMismatchError if a running process reads what the migration takes away. */
function requireKnown({ version, after }: Migration & { phase: 'contract' }, others: OtherProcess[]): void {
  const older = others.find(({ databaseVersion }) => databaseVersion < after);
  if (older === undefined) return;
  const { release, identity } = older;
  throw new ReleaseMismatchError(
    `A process of release ${release} runs (process ${identity.pid} on ${identity.machine.split(' ')[0]}), and version ${version} of the database takes away what it reads. Stop the older release first, or upgrade to the release between the two and then to this one.`,
  );
}

/** One command per model: mongoose sends one per index, which at every start are 150 sequential commands. */
async function createIndexes({ schema, collection }: Model<unknown>): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length > 0) await collection.createIndexes(indexes);
}

/** The lease on the migrations: one process holds it at a time. */
export function migrationLeases(connection: Connection): Leases<MigrationState> {
  return createLeases(connection.collection('migrations'), { token: 'locked_by', until: 'locked_until' });
}
