import type { Document } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../../platform/database/object-id.ts';
import { documentModel } from './document-model.ts';
import { protectContents } from './protection-repository.ts';

/** Documents with the same bytes, in one organization. */
export type DuplicateRepository = ReturnType<ReturnType<typeof createDuplicateRepositories>>;

/** How long after its insert a document can still turn out to be a duplicate of one that was inserted meanwhile. */
const settlingMs = 60_000;

export function createDuplicateRepositories(connection: Connection) {
  const model = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    async function withHashes(hashes: readonly string[]) {
      const known = { organization_id, deleted_at: null, duplicate_of: null, sha256: { $in: [...new Set(hashes)] } };
      const fields = { sha256: 1, is_own: 1, upload_date: 1 };
      return await model.find(known, fields).sort({ _id: 1 }).lean();
    }
    /** Documents that no model may see: neither may it see their bytes under another name. */
    async function keptAmong(ids: ReadonlySet<string>): Promise<Set<string>> {
      if (ids.size === 0) return new Set();
      const kept = { _id: { $in: objectIdsOf([...ids]) }, organization_id, never_to_model_in: organization_id };
      return new Set((await model.find(kept, { _id: 1 }).lean()).map(({ _id }) => _id.toHexString()));
    }
    return {
      /** The oldest document outside the trash for each of these hashes that has one. */
      async originals(hashes: readonly string[]): Promise<Map<string, string>> {
        const first = new Map<string, string>();
        for (const { _id, sha256 = '' } of await withHashes(hashes)) {
          if (!first.has(sha256)) first.set(sha256, _id.toHexString());
        }
        return first;
      },
      /**
       * Marks those of just inserted documents whose bytes an older document has. Every upload does so after its insert:
       * of two at once, at least one sees both, and the lower id is the original for either.
       */
      async mark(documents: readonly Document[], hashes: readonly string[]): Promise<Document[]> {
        const found = await withHashes(hashes);
        const since = Date.now() - settlingMs;
        const marked = new Map<string, string>();
        const first = new Map<string, mongoose.Types.ObjectId>();
        for (const { _id, sha256 = '', is_own, upload_date } of found) {
          const original = first.get(sha256);
          if (original === undefined) first.set(sha256, _id);
          else if (is_own !== true && upload_date.getTime() >= since) {
            await model.updateOne({ _id, organization_id }, { $set: { duplicate_of: original } });
            marked.set(_id.toHexString(), original.toHexString());
          }
        }
        // What keeps these bytes from models also keeps the documents that had them before.
        for (const id of await keptAmong(new Set(marked.keys()))) {
          await protectContents(model, organization_id, new mongoose.Types.ObjectId(id));
        }
        const kept = await keptAmong(new Set(marked.values()));
        const keptCopies = [...marked].flatMap(([id, original]) => (kept.has(original) ? [id] : []));
        if (keptCopies.length > 0) {
          const copies = { _id: { $in: objectIdsOf(keptCopies) }, organization_id };
          await model.updateMany(copies, { $set: { never_to_model_in: organization_id } });
        }
        return documents.map((document) => {
          const duplicate_of = marked.get(document.id);
          if (duplicate_of === undefined) return document;
          return { ...document, duplicate_of, ...(kept.has(duplicate_of) && { never_to_model: true }) };
        });
      },
      /** False if it was no duplicate. */
      async makeOwn(id: string): Promise<boolean> {
        const duplicate = { _id: objectIdOf(id) ?? null, organization_id, duplicate_of: { $ne: null } };
        const update = { $set: { is_own: true as const }, $unset: { duplicate_of: 1 as const }, $inc: { changes: 1 } };
        return (await model.updateOne(duplicate, update)).modifiedCount === 1;
      },
      /** The original is gone for good: its oldest duplicate takes its place. Returns whether there is one. */
      async release(originalId: string): Promise<boolean> {
        const [original] = objectIdsOf([originalId]);
        const of = { organization_id, duplicate_of: original ?? null };
        const heir = await model
          .findOneAndUpdate({ ...of, deleted_at: null }, { $unset: { duplicate_of: 1 } }, { sort: { _id: 1 } })
          .lean();
        if (heir === null) return false;
        await model.updateMany(of, { $set: { duplicate_of: heir._id } });
        return true;
      },
    };
  };
}
