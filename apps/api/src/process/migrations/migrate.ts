import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Model, mongo } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
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

/** The database belongs to a newer release; this one could damage it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/**
 * Creates the indexes of all registered models and runs pending migrations under a lease; a second process waits for the
 * first.
 * @returns the database's version.
 * @throws NewerDatabaseError before any change, if the database is beyond the last of `migrations`.
 */
export async function migrate(connection: Connection, migrations: Migration[]): Promise<number> {
  const states = connection.collection<MigrationState>('migrations');
  const leases = migrationLeases(connection);
  // Another process might insert it at the same time.
  await states.updateOne(state, { $setOnInsert: { version: 0 } }, { upsert: true }).catch(ignoreDuplicateKey);
  let token: string | undefined;
  while ((token = (await leases.claim(state, { milliseconds: leaseMs }))?.token) === undefined) await sleep(200);
  const holder = token;
  const heartbeat = startHeartbeat(async () => (await leases.renew(state, holder, leaseMs)) !== undefined, leaseMs / 3);
  try {
    let version = (await states.findOne(state))?.version ?? 0;
    const latest = Math.max(0, ...migrations.map((migration) => migration.version));
    if (version > latest) {
      throw new NewerDatabaseError(
        `The database is at version ${version} and this release knows ${latest}: start the newer release again, or restore the back-up made before the upgrade.`,
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

/** One command per model: mongoose sends one per index, which at every start are 150 sequential commands. */
async function createIndexes({ schema, collection }: Model<unknown>): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length > 0) await collection.createIndexes(indexes);
}

/** The lease on the migrations: one process holds it at a time. */
export function migrationLeases(connection: Connection): Leases<MigrationState> {
  return createLeases(connection.collection('migrations'), { token: 'locked_by', until: 'locked_until' });
}
