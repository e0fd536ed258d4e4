import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import mongoose, { type Connection } from 'mongoose';
import { connectDatabase } from '../../../apps/api/src/platform/database/connection.ts';
import { migrate } from '../../../apps/api/src/process/migrations/migrate.ts';
import { migrations } from '../../../apps/api/src/process/migrations/migrations.ts';

/** An embedded database in a folder of its own, with the indexes of the models that `register` makes. */
export async function startDatabase(name: string, register: (connection: Connection) => void) {
  const folder = await mkdtemp(join(tmpdir(), `docwright-${name}-`));
  const database = await startEmbeddedMongo({ dataDir: folder });
  const connection = await connectDatabase(database.uri);
  register(connection);
  await migrate(connection, migrations);
  return {
    connection,
    stop: async (): Promise<void> => {
      await connection.close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** When the first of the invoices was uploaded; each later one came a second after the one before. */
export const firstUpload = Date.UTC(2026, 0, 1);

/** The record of an extracted invoice of one page. */
export const invoiceRecord = (organization_id: mongoose.Types.ObjectId, index: number) => ({
  _id: new mongoose.Types.ObjectId(),
  organization_id,
  document_name: `Invoice ${index}.pdf`,
  name_key: `invoice ${index}.pdf`,
  mime_type: 'application/pdf',
  size_bytes: 1000,
  file_id: new mongoose.Types.ObjectId(),
  page_count: 1,
  state: 'llm_completed',
  tag_ids: [],
  metadata: {},
  upload_date: new Date(firstUpload + index * 1000),
  uploaded_by: organization_id,
  deleted_at: null,
});

/** The times of some calls, one after another, in milliseconds. */
export async function timesOf(run: () => Promise<unknown>, rounds: number): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run();
    taken.push(Math.round((performance.now() - start) * 10) / 10);
  }
  return taken;
}

/** The median time of some calls, in milliseconds. */
export const medianOf = async (run: () => Promise<unknown>, rounds: number): Promise<number> =>
  (await timesOf(run, rounds)).toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
