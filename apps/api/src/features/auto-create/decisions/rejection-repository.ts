import mongoose, { type Connection, type mongo } from 'mongoose';
import { field, modelOf, recordSchema } from '../../../platform/records/record-model.ts';
import { isDuplicateKey } from '../../../platform/database/connection.ts';
import { undoOfferedMs } from '../../../turn-writes/turn-write-model.ts';
import { documentModel } from '../../documents/index.ts';
import { extractionModel, returnedResult, type ExtractionRecord } from '../../extractions/index.ts';
import { revisionModels } from '../../revisions/index.ts';
import { kindModels } from '../kinds/kind-model.ts';

type RemovedThing = 'extraction' | 'kind' | 'prompt' | 'schema';

interface RejectedPlace {
  organizationId: string;
  documentId: string;
}

/** Selects all documents that one decision rejected, or one of them. */
export interface RejectedBy {
  decisionId: string;
  documentId?: string | undefined;
}

/** A document whose rejection is being undone. */
export interface ReturningDocument extends RejectedPlace {
  decisionId: string;
  promptId: string;
  givenTag: string | undefined;
}

/** The records that rejections removed, stored while the rejections can be undone, and the restoration of documents. */
export type RejectionRepository = ReturnType<typeof createRejectionRepository>;

/** A copy of a record that a rejection removed. */
const removedSchema = recordSchema(
  {
    /** `decision:thing:id`, so that a repeated rejection notes it once. */
    _id: field.text,
    organization_id: field.objectId,
    /** Present for an extraction. Schema, prompt and kind belong to all documents of the kind. */
    document_id: field.objectId.optional(),
    prompt_id: field.text,
    thing: field.oneOf<RemovedThing>(),
    record: field.mixed<mongo.Document>(),
    expires_at: field.date,
  },
  { collection: 'rejected_records', keepsEmptyObjects: true },
);
removedSchema.index({ organization_id: 1, prompt_id: 1 });
removedSchema.index({ document_id: 1 }, { sparse: true });
removedSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const removedModel = modelOf('RejectedRecord', removedSchema);

const oid = (id: string) => new mongoose.Types.ObjectId(id);

export function createRejectionRepository(connection: Connection) {
  const removed = removedModel(connection);
  const documents = documentModel(connection);
  const collections = {
    extraction: extractionModel(connection).collection,
    kind: kindModels(connection).kinds.collection,
    prompt: revisionModels(connection, 'prompt').artifacts.collection,
    schema: revisionModels(connection, 'schema').artifacts.collection,
  };
  const ofDocument = ({ organizationId, documentId }: RejectedPlace) => ({
    organization_id: oid(organizationId),
    document_id: oid(documentId),
  });
  const rejectedBy = (organizationId: string, { decisionId, documentId }: RejectedBy) => ({
    organization_id: oid(organizationId),
    'auto_create.status': 'rejected' as const,
    'auto_create.decision_id': decisionId,
    deleted_at: null,
    ...(documentId === undefined ? {} : { _id: oid(documentId) }),
  });

  async function insert(thing: RemovedThing, record: mongo.Document): Promise<boolean> {
    try {
      await collections[thing].insertOne(record);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    /** The pending documents of one document's or one kind's proposal whose result a user has verified. */
    async verified(
      organizationId: string,
      { promptId, documentIds }: { promptId?: string; documentIds?: readonly string[] | undefined },
    ): Promise<{ document_id: string; document_name: string }[]> {
      const organization_id = oid(organizationId);
      const proposed = await documents
        .find(
          {
            organization_id,
            deleted_at: null,
            'auto_create.status': 'proposed',
            ...(promptId !== undefined && { 'auto_create.prompt_id': promptId }),
            ...(documentIds !== undefined && { _id: { $in: documentIds.map(oid) } }),
          },
          { document_name: 1, auto_create: 1 },
        )
        .lean();
      const document_id = { $in: proposed.map(({ _id }) => _id) };
      const results = await collections.extraction
        .find({ organization_id, document_id, is_verified: true }, { projection: { document_id: 1, prompt_id: 1 } })
        .toArray();
      const verified = new Set(
        results.map((result) => `${String(result['document_id'])} ${String(result['prompt_id'])}`),
      );
      return proposed
        .filter(({ _id, auto_create }) => verified.has(`${_id.toHexString()} ${String(auto_create?.prompt_id)}`))
        .map(({ _id, document_name }) => ({ document_id: _id.toHexString(), document_name }));
    },
    /**
     * Makes documents of a rejection pending again whose result of the prompt a user has verified since it was decided.
     * Returns their ids.
     */
    async keepVerified({
      organizationId,
      documentIds,
      decisionId,
      promptId,
    }: {
      organizationId: string;
      documentIds: readonly string[];
      decisionId: string;
      promptId: string;
    }): Promise<Set<string>> {
      const document_id = { $in: documentIds.map(oid) };
      const results = { organization_id: oid(organizationId), document_id, prompt_id: promptId, is_verified: true };
      const verified = (await collections.extraction.distinct('document_id', results)) as mongoose.Types.ObjectId[];
      if (verified.length > 0) {
        await documents.updateMany(
          {
            _id: { $in: verified },
            organization_id: oid(organizationId),
            'auto_create.status': 'rejected',
            'auto_create.decision_id': decisionId,
          },
          {
            $set: { 'auto_create.status': 'proposed' },
            $unset: { 'auto_create.unfinished': 1, 'auto_create.decision_id': 1 },
          },
        );
      }
      return new Set(verified.map(String));
    },
    /** Copies the records that a rejection will remove. `isLast`: includes schema, prompt and kind. */
    async note({
      organizationId,
      documentIds,
      decisionId,
      promptId,
      schemaId,
      isLast,
    }: {
      organizationId: string;
      documentIds: readonly string[];
      decisionId: string;
      promptId: string;
      schemaId?: string | undefined;
      isLast: boolean;
    }): Promise<void> {
      const organization_id = oid(organizationId);
      const ids = { kind: promptId, prompt: promptId, ...(schemaId === undefined ? {} : { schema: schemaId }) };
      // Removing the kind removes the extractions of all its documents, which the same decision rejected.
      const othersRejected = isLast
        ? await documents
            .find({ ...rejectedBy(organizationId, { decisionId }), 'auto_create.prompt_id': promptId }, { _id: 1 })
            .lean()
        : [];
      const document_ids = [...documentIds.map(oid), ...othersRejected.map(({ _id }) => _id)];
      const found = await Promise.all([
        collections.extraction
          .find({ organization_id, document_id: { $in: document_ids }, prompt_id: promptId })
          .toArray()
          .then((records) => records.map((record) => ({ thing: 'extraction' as const, record }))),
        ...Object.entries(isLast ? ids : {}).map(async ([name, id]) => {
          const thing = name as keyof typeof ids;
          const record = await collections[thing].findOne({ _id: oid(id), organization_id });
          // A user has already deleted it.
          return record === null || (record['deleted_at'] ?? null) !== null ? [] : [{ thing, record }];
        }),
      ]);
      const expires_at = new Date(Date.now() + undoOfferedMs);
      const notes = found.flat().map(({ thing, record }) => ({
        updateOne: {
          filter: { _id: `${decisionId}:${thing}:${String(record._id)}` as never },
          update: {
            $setOnInsert: {
              organization_id,
              prompt_id: promptId,
              thing,
              record,
              expires_at,
              ...(thing === 'extraction' ? { document_id: record['document_id'] as unknown } : {}),
            },
          },
          upsert: true,
        },
      }));
      if (notes.length > 0) await removed.collection.bulkWrite(notes);
    },
    /** Marks documents as returning if nothing has changed them since the decision. Returns them and those already marked. */
    async startReturn(organizationId: string, rejected: RejectedBy, userId: string): Promise<ReturningDocument[]> {
      const { decisionId } = rejected;
      const own = rejectedBy(organizationId, rejected);
      await documents.updateMany(
        { ...own, 'auto_create.unfinished': { $exists: false } },
        { $set: { 'auto_create.unfinished': { user_id: userId, decision_id: decisionId, undo: true } } },
      );
      const records = await documents.find({ ...own, 'auto_create.unfinished.undo': true }, { auto_create: 1 }).lean();
      return records.flatMap(({ _id, auto_create }) => {
        const promptId = auto_create?.prompt_id;
        if (promptId === undefined) return [];
        const documentId = _id.toHexString();
        return [{ organizationId, documentId, decisionId, promptId, givenTag: auto_create?.given_tag }];
      });
    },
    /**
     * The reason why no document can return: they have `returned` before, the rejection is `unfinished`, or they have
     * `changed` since.
     */
    async returnObstacle(organizationId: string, rejected: RejectedBy): Promise<'returned' | 'unfinished' | 'changed'> {
      const { 'auto_create.decision_id': _, 'auto_create.status': __, ...any } = rejectedBy(organizationId, rejected);
      const returned = await documents.exists({
        ...any,
        'auto_create.status': 'proposed',
        'auto_create.undone': rejected.decisionId,
      });
      if (returned !== null) return 'returned';
      return (await documents.exists(rejectedBy(organizationId, rejected))) === null ? 'changed' : 'unfinished';
    },
    /** Restores schema, prompt and kind if they no longer exist. */
    async restoreKind(organizationId: string, promptId: string): Promise<void> {
      const organization_id = oid(organizationId);
      const noted = await removed.collection
        .find({ organization_id, prompt_id: promptId, thing: { $ne: 'extraction' } })
        .sort({ expires_at: 1 })
        .toArray();
      // The newest copy of each. The schema is restored before the prompt that uses it.
      const newest = new Map(noted.map((note) => [note['thing'] as RemovedThing, note['record'] as mongo.Document]));
      for (const thing of ['schema', 'prompt', 'kind'] as const) {
        const record = newest.get(thing);
        if (record === undefined || (await insert(thing, record)) || thing === 'kind') continue;
        await collections[thing].replaceOne({ _id: record._id, organization_id, deleted_at: { $ne: null } }, record);
      }
    },
    /** Restores extractions, unless there is a newer one in their place. */
    async restoreExtractions(place: RejectedPlace, promptId: string, decisionId: string): Promise<void> {
      const own = { ...ofDocument(place), prompt_id: promptId, thing: 'extraction' };
      for (const { _id, record } of await removed.collection.find(own).toArray()) {
        if (!String(_id).startsWith(`${decisionId}:`)) continue;
        const returned = returnedResult(record as unknown as ExtractionRecord);
        await insert('extraction', { ...returned, review_pending: 'written' });
      }
    },
    /** Makes the proposal of the document pending again. */
    async finishReturn(
      { organizationId, documentId, decisionId }: ReturningDocument,
      { tagId, isAccepted, hasPrompt }: { tagId: string | undefined; isAccepted: boolean; hasPrompt: boolean },
    ): Promise<void> {
      const organization_id = oid(organizationId);
      const returning = {
        _id: oid(documentId),
        organization_id,
        'auto_create.status': 'rejected' as const,
        'auto_create.decision_id': decisionId,
        'auto_create.unfinished.undo': true,
      };
      if (!hasPrompt) {
        await documents.updateOne(returning, { $unset: { 'auto_create.unfinished': 1 } });
        return;
      }
      await documents.updateOne(
        { ...returning, 'auto_create.reuses': { $exists: true } },
        { $set: { 'auto_create.reuses.accepted': isAccepted } },
      );
      const tag = tagId === undefined ? {} : { $addToSet: { tag_ids: oid(tagId) }, $inc: { changes: 1 } };
      await documents.updateOne(returning, {
        $set: { 'auto_create.status': 'proposed', 'auto_create.undone': decisionId, state: 'llm_completed' },
        $unset: { 'auto_create.unfinished': 1, 'auto_create.decision_id': 1, state_error: 1 },
        ...tag,
      });
    },
    async forgetDocument(place: RejectedPlace): Promise<void> {
      await removed.deleteMany(ofDocument(place));
    },
  };
}
