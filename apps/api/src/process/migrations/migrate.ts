import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Model, mongo } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import { createLeases, type Leases } from '../../platform/leases/leases.ts';
import type { Migration } from './migrations.ts';

interface MigrationState {
  _id: 'state';
  version: number;
  locked_by?: string | null;
  locked_until?: Date | null;
}
const state = { _id: 'state' } as const;
const leaseMs = 60_000;

/** The database was written by a newer release, which this one could damage. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/**
 * Makes the indexes of every registered model and runs the migrations that have not run, while
 * no other process does; a process that comes second waits until the first is done.
 * @returns the version the database is at.
 * @throws NewerDatabaseError before anything is changed, when that is beyond the last of `migrations`.
 */
export async function migrate(connection: Connection, migrations: Migration[]): Promise<number> {
  const states = connection.collection<MigrationState>('migrations');
  const leases = migrationLeases(connection);
  await states.updateOne(state, { $setOnInsert: { version: 0 } }, { upsert: true }).catch((error: unknown) => {
    // Another process was faster.
    if (!isDuplicateKey(error)) throw error;
  });
  let token: string | undefined;
  while ((token = (await leases.claim(state, { milliseconds: leaseMs }))?.token) === undefined) await sleep(200);
  const holder = token;
  const heartbeat = startHeartbeat(async () => (await leases.renew(state, holder, leaseMs)) !== undefined, leaseMs / 3);
  try {
    let version = (await states.findOne(state))?.version ?? 0;
    const known = Math.max(0, ...migrations.map((migration) => migration.version));
    if (version > known) {
      throw new NewerDatabaseError(
        `The database is at version ${version} and this release knows ${known}: start the newer release again, or restore the back-up made before the upgrade.`,
      );
    }
    await Promise.all(Object.values(connection.models).map(createIndexes));
    for (const migration of migrations.filter((candidate) => candidate.version > version)) {
      await migration.up(connection);
      version = migration.version;
      await leases.write(state, holder, { $set: { version } });
    }
    return version;
  } finally {
    await heartbeat.stop();
    await leases.release(state, holder);
  }
}

/** One command for a model: mongoose sends one for each index, which at every start are 150 that wait for each other. */
async function createIndexes({ schema, collection }: Model<unknown>): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length > 0) await collection.createIndexes(indexes);
}

/** The right to change the database: one process has it at a time. */
export function migrationLeases(connection: Connection): Leases<MigrationState> {
  return createLeases(connection.collection('migrations'), { token: 'locked_by', until: 'locked_until' });
}
