import mongoose, { type Connection } from 'mongoose';
import { storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { documentModel } from '../records/document-model.ts';

const batchSize = 500;

/** Checks what each organization stores, once a day, and counts the files from before bytes were counted. */
export function createStoredBytesCheck(connection: Connection): (signal: AbortSignal) => Promise<void> {
  const documents = documentModel(connection);
  const storedBytes = storedBytesOf(connection);

  /** Each with documents, by the index: a list of all values would read every document. */
  async function* organizations() {
    for (let after = new mongoose.Types.ObjectId('0'.repeat(24)); ;) {
      const next = { organization_id: { $gt: after } };
      const found = await documents.findOne(next, { organization_id: 1 }).sort({ organization_id: 1 }).lean();
      if (found === null) return;
      after = found.organization_id;
      yield after;
    }
  }

  async function* filesOf(organization_id: mongoose.Types.ObjectId) {
    let batch: { documentId: string; bytes: number }[] = [];
    for await (const { _id, size_bytes } of documents.find({ organization_id }, { size_bytes: 1 }).lean().cursor()) {
      batch.push({ documentId: _id.toHexString(), bytes: size_bytes });
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  return async (signal) => {
    for await (const id of organizations()) {
      if (signal.aborted) return;
      await storedBytes.check(id.toHexString(), () => filesOf(id), signal);
    }
  };
}
