import type { Document, DocumentSelection, OnAsk, Role } from '@docwright/contract';
import mongoose, { type Connection, type Model, type QueryFilter, type Types } from 'mongoose';
import { createGroupedReads } from '../../../platform/database/grouped-reads.ts';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { outboxEvent } from '../../event-log/index.ts';
import { readPage, type PageEnd, type PageSelection } from '../../../platform/database/page.ts';
import type { SharedLeases } from '../../../platform/leases/shared-leases.ts';
import { withCalls, type WriteOrigin } from '../../../turn-writes/write-origin.ts';
import { createTurnWriteRepositories, type TurnWriteRepository } from '../../../turn-writes/turn-write-repository.ts';
import type { StageFacts } from '../stages/document-stage.ts';
import { documentModel, modelRunLeases, nameKeyOf, type DocumentRecord } from './document-model.ts';
import { documentQuery } from './document-query-repository.ts';
import { createModelRuns } from './model-run-repository.ts';
import {
  arrivalDue,
  changesNothing,
  isMerge,
  mergedChange,
  type DocumentUpdate,
  type SplitOff,
} from './document-change.ts';
import { createProtection, markOf, protectContents, type Protection } from './protection-repository.ts';
import { presentDocument, presentWhole } from './document-presentation.ts';
import { countReadFirst } from './read-first-repository.ts';
import { presentEach } from '../../../platform/records/unreadable-records.ts';
import { asRead, requireSeen } from '../../../platform/records/seen-edit.ts';

/** The place of a file in its source. */
export interface FileOfSource {
  source_id: string;
  /** The same for the same content of the same file: no two documents have it. */
  source_key: string;
  replaces?: string | undefined;
}

interface NewDocument extends Partial<FileOfSource> {
  id?: string;
  document_name: string;
  mime_type: string;
  size_bytes: number;
  file_id: string;
  sha256?: string;
  is_own?: true;
  never_to_model?: true | undefined;
  include_attachments?: false;
  tag_ids: string[];
  metadata: Record<string, unknown>;
  uploaded_by: string;
  /** The run to start once the text is ready. */
  auto_create_request?: { run_id: string; role: Role; on_ask?: OnAsk };
}

export interface DocumentQuery extends DocumentSelection, PageSelection {
  /** For a `stage`. */
  stageFacts?: StageFacts | undefined;
}

/** The state of a document before a write, for its undo. */
export type DocumentBefore = Pick<Document, 'document_name' | 'tag_ids' | 'metadata' | 'routing'>;

/** The progress of reading a document, and the number of changes to its name, tags and metadata. */
export interface DocumentProgress {
  document: Document;
  pages_done: number;
  changes: number;
  /** The number of changes of what its results ask of users. */
  review_changes: number;
}

/** The documents of one organization, without those in the trash. */
export type DocumentRepository = ReturnType<typeof createDocumentRepository>;

export function createDocumentRepositories(connection: Connection): (organizationId: string) => DocumentRepository {
  const model = documentModel(connection);
  const modelRuns = modelRunLeases(connection);
  const writesOf = createTurnWriteRepositories(connection);
  const protectionOf = createProtection(connection);
  const read = createGroupedReads(async (keys) => {
    const records = await readTogether(model, () => {
      const pairs = keys().map((key) => key.split('/'));
      return {
        _id: { $in: objectIdsOf(pairs.map(([, id = '']) => id)) },
        organization_id: { $in: objectIdsOf(pairs.map(([organization = '']) => organization)) },
        deleted_at: null,
      };
    });
    return new Map(records.map((record) => [keyOf(record.organization_id, record._id), record]));
  });
  return (organizationId) =>
    createDocumentRepository(
      model,
      { modelRuns, read, writes: writesOf(organizationId), protection: protectionOf(organizationId) },
      organizationId,
    );
}

const keyOf = (organization: Types.ObjectId, id: Types.ObjectId) => `${organization.toHexString()}/${id.toHexString()}`;

function createDocumentRepository(
  model: Model<DocumentRecord>,
  parts: {
    modelRuns: SharedLeases;
    read: (key: string) => Promise<DocumentRecord | undefined>;
    writes: TurnWriteRepository;
    protection: Protection;
  },
  organizationId: string,
) {
  const { modelRuns, read, writes, protection } = parts;
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const any = (id: string): QueryFilter<DocumentRecord> => ({ _id: new mongoose.Types.ObjectId(id), organization_id });
  const one = (id: string): QueryFilter<DocumentRecord> => ({ ...any(id), deleted_at: null });
  const noting = (origin: WriteOrigin | undefined) => withCalls(origin && [origin.call_id]);

  async function noteWrite(record: DocumentRecord, tool: string, origin: WriteOrigin | undefined): Promise<void> {
    const { id, document_name, tag_ids, metadata, routing } = presentDocument(record);
    const before: DocumentBefore = { document_name, tag_ids, metadata, ...(routing && { routing }) };
    await writes.note(origin, {
      tool,
      kind: 'document',
      recordId: id,
      documentId: id,
      before,
      base: record.changes ?? 0,
    });
  }

  async function patch(id: string, body: DocumentUpdate, origin?: WriteOrigin): Promise<Document | undefined> {
    const former = await model.findOne(one(id)).lean();
    if (former === null) return undefined;
    if (origin && former.applied_calls.includes(origin.call_id)) return presentDocument(former);
    requireSeen('document', body.seen, presentWhole(former));
    const before = presentDocument(former).tag_ids;
    const change = mergedChange(presentDocument(former), body);
    const added = change.tag_ids?.filter((tag) => !before.includes(tag.toLowerCase())) ?? [];
    if ((await protection.keeping(added)).length > 0) change.never_to_model = true;
    if (!body.decides_route && changesNothing(presentDocument(former), change)) return presentDocument(former);
    await noteWrite(former, 'update_document', origin);
    const set: Record<string, unknown> = arrivalDue(origin, before, change.tag_ids);
    const { document_name } = change;
    if (document_name !== undefined) Object.assign(set, { document_name, name_key: nameKeyOf(document_name) });
    if (change.tag_ids !== undefined) set['tag_ids'] = objectIdsOf(change.tag_ids);
    if (change.metadata !== undefined) set['metadata'] = change.metadata;
    if (change.never_to_model !== undefined) Object.assign(set, markOf(change.never_to_model, former, change.tag_ids));
    const update = { $set: set, $inc: { changes: 1 }, ...noting(origin) };
    const seen = { changes: former.changes ?? null, tag_ids: former.tag_ids };
    const filter = {
      ...one(id),
      ...(isMerge(body) && seen),
      ...(body.seen && asRead(former, set)),
    } as QueryFilter<DocumentRecord>;
    const record = await model.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean();
    if (change.never_to_model === true) await protectContents(model, organization_id, former._id);
    // If another writer changed the document meanwhile, the change is applied to the newer record.
    if (record === null) return await patch(id, body, origin);
    return (await protection.recheck([presentDocument(record)]))[0];
  }

  return {
    countReadFirst: (
      documents: Parameters<typeof countReadFirst>[2],
      uploader?: Parameters<typeof countReadFirst>[3],
    ) => countReadFirst(model, organization_id, documents, uploader),
    /** @param readFirst what `countReadFirst` says; it is asked if nothing is given */
    async insert(documents: NewDocument[], readFirst?: number): Promise<Document[]> {
      const keeps = await protection.keptOf(documents);
      const first = readFirst ?? (await countReadFirst(model, organization_id, documents));
      const records = documents.map(({ id, never_to_model, ...document }, index) => ({
        ...document,
        ...(index < first && { read_first_in: organization_id }),
        ...((never_to_model ?? keeps(document)) && { never_to_model_in: organization_id }),
        _id: new mongoose.Types.ObjectId(id),
        organization_id,
        state: 'uploaded' as const,
        event_outbox: [outboxEvent('document.created')],
        routing_due: true as const,
        upload_date: new Date(),
      }));
      const inserted = await model.insertMany(records, { ordered: true });
      return await protection.recheck(inserted.map((record) => presentDocument(record.toObject())));
    },
    /** Inserts documents that were split off another one. Their pages are already stored under their ids. */
    async insertSplit(documents: SplitOff[], origin?: WriteOrigin): Promise<Document[]> {
      const [first] = documents;
      if (first === undefined) return [];
      const { document_id } = first.split_from;
      const write = { tool: 'split_document', kind: 'split', documentId: document_id, before: null, base: 0 } as const;
      await writes.note(origin, write);
      const keeps = await protection.keptOf(documents);
      const records = documents.map(({ id, split_from, never_to_model, routing_due, ...document }) => ({
        ...document,
        ...(routing_due && { routing_due: true as const }),
        ...arrivalDue(origin, [], document.tag_ids),
        _id: new mongoose.Types.ObjectId(id),
        organization_id,
        mime_type: 'application/pdf',
        pages_done: document.page_count,
        ...((never_to_model || keeps(document)) && { never_to_model_in: organization_id }),
        split_from: { ...split_from, document_id: new mongoose.Types.ObjectId(split_from.document_id) },
        split_group: new mongoose.Types.ObjectId(first.id),
        event_outbox: [outboxEvent('document.created'), outboxEvent('document.ready')],
        ...(origin && { applied_calls: [origin.call_id] }),
        upload_date: new Date(),
      }));
      const inserted = await model.insertMany(records, { ordered: true });
      return await protection.recheckParts(
        document_id,
        inserted.map((record) => presentDocument(record.toObject())),
      );
    },
    /** The documents that this call has split off before, in the order of its parts. */
    async listSplitBy(callId: string): Promise<Document[]> {
      const splitOff = { organization_id, applied_calls: callId, split_group: { $exists: true } };
      return (await model.find(splitOff).sort({ _id: 1 }).lean()).map(presentDocument);
    },
    async get(id: string): Promise<Document | undefined> {
      const record = await read(keyOf(organization_id, new mongoose.Types.ObjectId(id)));
      return record && presentWhole(record);
    },
    /** Newest first by default. `tag_ids` selects documents that have all of these tags. */
    async list(query: DocumentQuery): Promise<PageEnd & { documents: Document[] }> {
      // Almost no organization has replaced documents; without the condition an index alone answers.
      const include_replaced =
        query.include_replaced === true || !(await model.exists({ organization_id, replaced_in: organization_id }));
      const { filter, sort } = documentQuery(
        { organization_id, deleted_at: null },
        { ...query, include_replaced },
        model.db,
      );
      const { records, end } = await readPage(model, filter, { ...query, sort, projection: { name_parts: 0 } });
      return { documents: presentEach(records, presentDocument), ...end };
    },
    /** Changes nothing if this call was applied before. What is added or removed is applied to the newest state. */
    patch,
    /** Whether the document exists, including in the trash. */
    exists: async (id: string): Promise<boolean> => (await model.exists(any(id))) !== null,
    /** Moves the document to the trash, once for each call. Returns false if it does not exist. */
    async trash(id: string, userId: string, origin?: WriteOrigin): Promise<boolean | 'restored_since'> {
      const former = await model.findOne(any(id)).lean();
      if (former === null) return false;
      if (former.deleted_at) return origin !== undefined && former.deleted_by_call === origin.call_id;
      if (origin && former.applied_calls.includes(origin.call_id)) return 'restored_since';
      await noteWrite(former, 'delete_document', origin);
      const deleted_by = new mongoose.Types.ObjectId(userId);
      const $set = { deleted_at: new Date(), deleted_by, deleted_by_call: origin?.call_id ?? null };
      const { matchedCount } = await model.updateOne(one(id), { $set, $inc: { changes: 1 }, ...noting(origin) });
      return matchedCount === 1;
    },
    async fileOf(id: string): Promise<{ file_id: string; document: Document } | undefined> {
      const record = await model.findOne(one(id)).lean();
      return record === null ? undefined : { file_id: record.file_id.toHexString(), document: presentDocument(record) };
    },
    async progressOf(id: string): Promise<DocumentProgress | undefined> {
      const record = await model.findOne(one(id)).lean();
      return record === null
        ? undefined
        : {
            document: presentDocument(record),
            pages_done: record.pages_done,
            changes: record.changes ?? 0,
            review_changes: record.review_writes ?? 0,
          };
    },
    ...createModelRuns(model, modelRuns, organization_id),
    async countWithTag(tagId: string): Promise<number> {
      return await model.countDocuments({
        organization_id,
        tag_ids: new mongoose.Types.ObjectId(tagId),
        deleted_at: null,
      });
    },
  };
}
