import mongoose, { type Connection } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel, listedDocuments } from '../documents/index.ts';
import { extractionModel, extractionVersionModel, parseStored } from '../extractions/index.ts';

/** The result of a document before a back-fill and after it. */
interface ChangedResult {
  /** Undefined if the document had none. */
  before: unknown;
  after: unknown;
}

/** Results of one prompt, as a back-fill needs them, in one organization. */
export type BackfillRepository = ReturnType<ReturnType<typeof createBackfillRepositories>>;

export function createBackfillRepositories(connection: Connection) {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);
  const versions = extractionVersionModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** Documents with a tag of the prompt or a result of it, oldest first. Returns `max` + 1 ids if there are more. */
      async concerned(
        { prompt_id, tag_ids }: { prompt_id: string; tag_ids: readonly string[] },
        max: number,
      ): Promise<string[]> {
        const withResult = await extractions.distinct('document_id', { organization_id, prompt_id });
        const found = await documents
          .find(
            {
              organization_id,
              ...listedDocuments,
              $or: [{ _id: { $in: withResult } }, { tag_ids: { $in: objectIdsOf(tag_ids) } }],
            },
            { _id: 1 },
          )
          .sort({ _id: 1 })
          .limit(max + 1)
          .lean();
        return found.map(({ _id }) => _id.toHexString());
      },
      /** The documents among `ids` that have a result of this revision. */
      async upToDate(promptRevid: string, ids: readonly string[]): Promise<Set<string>> {
        const prompt_revid = objectIdOf(promptRevid);
        if (prompt_revid === undefined) return new Set();
        const of = { organization_id, prompt_revid, document_id: { $in: objectIdsOf(ids) } };
        return new Set((await extractions.distinct('document_id', of)).map(String));
      },
      /**
       * The results that calls wrote, by document, each with the one before. Those that were changed since count as written. One
       * after another, since each can take tens of megabytes of memory.
       */
      async *changes(
        promptId: string,
        startedAt: Date,
        written: readonly { documentId: string; callId: string }[],
      ): AsyncGenerator<ChangedResult> {
        const calls = new Map(written.map(({ documentId, callId }) => [documentId, callId]));
        for (const [document, call] of calls) {
          const own = { organization_id, document_id: objectIdOf(document) ?? null, prompt_id: promptId };
          const ofDocument = await extractions.find(own).lean();
          const after = ofDocument.find(({ applied_calls }) => applied_calls.includes(call));
          if (after === undefined) continue;
          const others = ofDocument.filter((record) => record !== after && record.changed_at < startedAt);
          const other = others.toSorted((a, b) => b.changed_at.getTime() - a.changed_at.getTime())[0];
          const former = await versions
            .findOne({
              organization_id,
              document_id: after.document_id,
              prompt_revid: after.prompt_revid,
              changed_at: { $lt: startedAt },
            })
            .sort({ version: -1 })
            .lean();
          const before = former ?? other;
          yield {
            before: before && (await parseStored(before.result)),
            after: await parseStored(after.original_result),
          };
        }
      },
    };
  };
}
