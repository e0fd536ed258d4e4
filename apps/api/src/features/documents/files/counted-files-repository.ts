import mongoose, { type Connection } from 'mongoose';
import {
  pagesOwner,
  recordBytes,
  storedBytesOf,
  type FileToCount,
} from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { createSetAside } from '../../../platform/jobs/set-aside.ts';
import { documentModel } from '../records/document-model.ts';
import { pageModel } from '../records/page-model.ts';

const batchSize = 500;
const settledMs = 60_000;

/** Checks what each organization stores, once a day, and counts the files from before bytes were counted. */
export function createStoredBytesCheck(
  connection: Connection,
  log: { error(fields: object, message: string): void },
): (signal: AbortSignal) => Promise<void> {
  const aside = createSetAside({ log, failure: 'the stored bytes of an organization could not be checked' });
  const documents = documentModel(connection);
  const pages = pageModel(connection);
  const storedBytes = storedBytesOf(connection);

  async function bytesOfPages(organization_id: mongoose.Types.ObjectId, document_id: mongoose.Types.ObjectId) {
    let bytes = 0;
    const own = pages.find({ organization_id, document_id }).lean();
    for await (const page of own.cursor({ batchSize: 10 })) bytes += recordBytes(page);
    return bytes;
  }

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

  /** Without those of the last minute, whose count may still be in the memory of a process. */
  async function* filesOf(organization_id: mongoose.Types.ObjectId, since: Date | undefined) {
    const upload_date = { $lt: new Date(Date.now() - settledMs), ...(since && { $gte: since }) };
    const own = documents.find({ organization_id, upload_date }, { size_bytes: 1 }).lean();
    let batch: FileToCount[] = [];
    for await (const { _id, size_bytes } of own.cursor()) {
      if (!Number.isFinite(size_bytes)) continue;
      const documentId = _id.toHexString();
      // Pages from before bytes were counted are not counted.
      const ofPages = { owner: pagesOwner(documentId), bytes: async () => bytesOfPages(organization_id, _id) };
      batch.push({ documentId, bytes: size_bytes, ...(since && { parts: [ofPages] }) });
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  return async (signal) => {
    for await (const id of organizations()) {
      if (signal.aborted) return;
      const organizationId = id.toHexString();
      // One organization with damaged records does not end the check of the others.
      await aside.work(organizationId, () => storedBytes.check(organizationId, (since) => filesOf(id, since), signal));
    }
  };
}
