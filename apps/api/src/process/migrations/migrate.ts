import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Connection, Model, mongo } from 'mongoose';
import { nameIndex } from '../../features/documents/records/document-model.ts';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { createNameIndex } from '../../platform/database/name-search.ts';
import { startHeartbeat, type Heartbeat } from '../../platform/leases/heartbeat.ts';
import { createLeases, type Leases } from '../../platform/leases/leases.ts';
import { isKnownDead, thisProcess, type ProcessIdentity } from '../../platform/leases/process-identity.ts';
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
/** A process on another machine waits so long after the holder was killed. */
const leaseMs = 9_000;
const renewEveryMs = leaseMs / 3;

/** Another process holds the lease: this one stood still for longer than it lasts. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** This release and the database, or this release and a running process, do not fit: one could damage the other's data. */
export class ReleaseMismatchError extends Error {
  override readonly name = 'ReleaseMismatchError';
}

/** The newest version of the database that a release with these migrations knows. */
export const latestOf = (migrations: readonly Migration[]): number =>
  Math.max(0, ...migrations.map(({ version }) => version));

/**
 * Creates the indexes of all registered models and runs pending migrations under a lease; a second process waits for the
 * first. One that stood still for longer than its lease lasts writes nothing more, and waits in turn. This process must have announced itself before, so that a newer release knows of it.
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
  // Another process might insert it at the same time.
  await states.updateOne(state, { $setOnInsert: { version: 0 } }, { upsert: true }).catch(ignoreDuplicateKey);
  for (;;) {
    try {
      return await migrateUnderLease(connection, migrations, others, onUnreadable);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }
}

async function migrateUnderLease(
  connection: Connection,
  migrations: readonly Migration[],
  others: () => Promise<OtherProcess[]>,
  onUnreadable: OnUnreadable | undefined,
): Promise<number> {
  const states = connection.collection<MigrationState>('migrations');
  const leases = migrationLeases(connection);
  const token = await claim(leases, states);
  const lostReason = new LeaseLostError('Another process runs the migrations.');
  const heartbeat = startHeartbeat(
    async () => (await leases.renew(state, token, leaseMs)) !== undefined,
    renewEveryMs,
    { lostReason },
  );
  const held = fencedConnection(connection, heartbeat);
  async function store(fields: Partial<MigrationState>): Promise<void> {
    if (!(await leases.write(state, token, { $set: fields }))) throw lostReason;
  }
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
        await store({ needed });
      }
      await migration.up(held, onUnreadable);
      version = migration.version;
      await store({ version, needed });
    }
    const running = await others();
    for (const migration of migrations) {
      const isKnown = running.every(({ databaseVersion }) => databaseVersion >= migration.version);
      if (isKnown) await migration.settle?.(held);
    }
    return version;
  } finally {
    await heartbeat.stop();
    await leases.release(state, token);
  }
}

/** Waits for the lease. That of a process that has died on this machine is free at once. */
async function claim(leases: Leases<MigrationState>, states: Collection<MigrationState>): Promise<string> {
  // The token names its holder, so that what another release claims is never taken for this one's.
  const token = JSON.stringify({ ...thisProcess, claim: randomUUID() });
  for (;;) {
    if (await leases.claim(state, { milliseconds: leaseMs, token })) return token;
    const holder = (await states.findOne(state))?.locked_by ?? undefined;
    if (holder !== undefined && isOfDeadProcess(holder)) await leases.release(state, holder);
    else await sleep(200);
  }
}

/** Tokens of former releases name no process. */
function isOfDeadProcess(token: string): boolean {
  return token.startsWith('{') && isKnownDead(JSON.parse(token) as ProcessIdentity);
}

const writeMethods = [
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'bulkWrite',
  'createIndex',
  'createIndexes',
  'dropIndex',
  'drop',
  'rename',
] as const;

/** The same database, where each write is sent only while the lease is held. */
function fencedConnection(connection: Connection, { requireHeld }: Pick<Heartbeat, 'requireHeld'>): Connection {
  const fenced = connection.useDb(connection.name);
  const open = fenced.collection.bind(fenced);
  const known = new Set<unknown>();
  fenced.collection = ((...args: Parameters<typeof open>) => {
    const collection = open(...args);
    if (known.has(collection)) return collection;
    known.add(collection);
    const methods = collection as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const name of writeMethods) {
      const write = methods[name]!;
      methods[name] = async (...given) => {
        await requireHeld();
        return await write.apply(collection, given);
      };
    }
    return collection;
  }) as typeof open;
  return fenced;
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
