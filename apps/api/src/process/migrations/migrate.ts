import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { isOver, untilIn } from '../../platform/database/database-clock.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import type { Migration } from './migrations.ts';

interface MigrationState {
  _id: 'state';
  version: number;
  locked_by?: string | null;
  locked_until?: Date | null;
}
const lockMs = 60_000;

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
  const holder = randomUUID();
  await lock();
  const renewal = setInterval(() => void renew().catch(() => undefined), lockMs / 3);
  try {
    let version = (await states.findOne({ _id: 'state' }))?.version ?? 0;
    const known = Math.max(0, ...migrations.map((migration) => migration.version));
    if (version > known) {
      throw new NewerDatabaseError(
        `The database is at version ${version} and this release knows ${known}: start the newer release again, or restore the back-up made before the upgrade.`,
      );
    }
    for (const model of Object.values(connection.models)) await model.createIndexes();
    for (const migration of migrations.filter((candidate) => candidate.version > version)) {
      await migration.up(connection);
      version = migration.version;
      await states.updateOne({ _id: 'state', locked_by: holder }, { $set: { version } });
    }
    return version;
  } finally {
    clearInterval(renewal);
    await states.updateOne({ _id: 'state', locked_by: holder }, { $set: { locked_by: null, locked_until: null } });
  }

  async function lock(): Promise<void> {
    await states
      .updateOne({ _id: 'state' }, { $setOnInsert: { version: 0 } }, { upsert: true })
      .catch((error: unknown) => {
        // Another process was faster.
        if (!isDuplicateKey(error)) throw error;
      });
    for (;;) {
      const { matchedCount } = await states.updateOne({ _id: 'state', $expr: isOver('locked_until') }, [
        { $set: { locked_by: holder, locked_until: untilIn(lockMs) } },
      ]);
      if (matchedCount === 1) return;
      await sleep(200);
    }
  }

  async function renew(): Promise<void> {
    await states.updateOne({ _id: 'state', locked_by: holder }, [{ $set: { locked_until: untilIn(lockMs) } }]);
  }
}
