import type { FileTypeCount, FileProblems } from '@docwright/agent-core';
import type { CreateSourceBody, Source, SourceConnector, SourceSync, UpdateSourceBody } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import {
  createIdChanges,
  type DocumentRecord,
  documentModel,
  listedDocuments,
  nameHas,
  readingStates,
} from '../documents/index.ts';
import type { SealedConnector } from './connector-secrets.ts';
import { sourceModel, type SourceRecord, failuresOfFailing } from './source-model.ts';
import { editAsSeen } from '../../platform/records/seen-edit.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

export type StoredSource = Omit<Source, 'document_count'>;

/** The files of one type in a source, from their records. */
export type FileTotals = Omit<FileTypeCount, 'extension'>;

type NewSource = Omit<CreateSourceBody, 'connector'> & { connector?: SealedConnector | undefined };
type SourceChange = Omit<UpdateSourceBody, 'connector'> & { connector?: SealedConnector | undefined };

/** The sources of one organization. */
export type SourceRepository = ReturnType<ReturnType<typeof createSourceRepositories>>;

export function createSourceRepositories(connection: Connection) {
  const model = sourceModel(connection);
  const documents = documentModel(connection);
  const idChanges = createIdChanges(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const matching = (source: StoredSource) => matchingDocuments(organization_id, source, connection);
    return {
      async create(source: NewSource, createdBy: string): Promise<StoredSource> {
        const { name, document_ids, tag_ids, name_search, connector, every = '15m', auto_create, enabled } = source;
        const { never_to_model = false } = source;
        const created = await model.create({
          organization_id,
          name,
          document_ids: document_ids ? objectIds([...new Set(document_ids)]) : null,
          tag_ids: tag_ids ? objectIds(tag_ids) : null,
          name_search: name_search ?? null,
          ...(connector && {
            ...storedConnector(connector),
            every,
            every_ms: millisecondsOf(every),
            auto_create: auto_create ?? null,
            never_to_model,
            is_enabled: enabled ?? true,
            next_sync_at: new Date(),
          }),
          created_at: new Date(),
          created_by: new mongoose.Types.ObjectId(createdBy),
        });
        return present(created.toObject());
      },
      async get(id: string): Promise<StoredSource | undefined> {
        const record = await model.findOne({ _id: objectIdOf(id) ?? null, organization_id }).lean();
        return record === null ? undefined : present(record);
      },
      /**
       * Undefined if the source does not exist. A change of what a sync does ends one that runs as before, and makes the next one
       * due.
       */
      async update(
        id: string,
        { seen, name, connector, every, tag_ids, auto_create, never_to_model, enabled }: SourceChange,
      ): Promise<StoredSource | undefined> {
        const isAnother =
          connector !== undefined || enabled !== undefined || tag_ids !== undefined || auto_create !== undefined;
        const $set = {
          ...(name !== undefined && { name }),
          ...(connector && { ...storedConnector(connector), failures: 0 }),
          ...(every !== undefined && { every, every_ms: millisecondsOf(every) }),
          ...(tag_ids && { tag_ids: tag_ids.length === 0 ? null : objectIds(tag_ids) }),
          ...(auto_create !== undefined && { auto_create }),
          ...(never_to_model !== undefined && { never_to_model }),
          ...(enabled !== undefined && { is_enabled: enabled }),
          ...((isAnother || every !== undefined) && { next_sync_at: new Date(), is_wanted: true }),
        };
        const one = { _id: objectIdOf(id) ?? null, organization_id };
        const $unset = {
          ...(isAnother && { lease: 1 as const }),
          ...(connector && { seen_batches: 1 as const }),
          ...(connector && connector.sealed === undefined && { sealed_secrets: 1 as const }),
        };
        const change = isAnother ? { $set, $unset } : { $set };
        const read = () => model.findOne(one).lean();
        const record = await editAsSeen({ what: 'source', seen, read, present }, (unchanged) =>
          model.findOneAndUpdate({ ...one, ...unchanged($set) }, change, { returnDocument: 'after' }).lean(),
        );
        return record && present(record);
      },
      /** The server has replaced a secret; nothing else changes. */
      async renewSecrets(id: string, { sealed }: SealedConnector): Promise<void> {
        if (sealed === undefined) return;
        await model.updateOne({ _id: objectIdOf(id) ?? null, organization_id }, { $set: { sealed_secrets: sealed } });
      },
      /** The connector with masked secrets, and its secrets. */
      async connectorOf(id: string): Promise<SealedConnector | undefined> {
        const record = await model.findOne({ _id: objectIdOf(id) ?? null, organization_id }).lean();
        if (!record?.connector) return undefined;
        return { masked: connectorOf(record.connector), sealed: record.sealed_secrets };
      },
      /** The ids of those that keep their documents from models. */
      async keeping(): Promise<string[]> {
        const found = await readTogether(model, { organization_id, never_to_model: true }, { projection: { _id: 1 } });
        return found.map(({ _id }) => _id.toHexString());
      },
      /** Newest first. */
      async list(page: PageSelection): Promise<{ sources: StoredSource[] } & PageEnd> {
        const { records, end } = await readPage(model, { organization_id }, { ...page, sort: { _id: -1 } });
        return { sources: presentEach(records, present), ...end };
      },
      /** A source without a connector has never been synced. */
      async syncOf(id: string): Promise<SourceSync | undefined> {
        const record = await model.findOne({ _id: objectIdOf(id) ?? null, organization_id }).lean();
        return record === null ? undefined : presentSync(record);
      },
      /** The files are looked at now. */
      async syncNow(id: string): Promise<void> {
        const due = { $set: { next_sync_at: new Date(), is_wanted: true } };
        await model.updateOne({ _id: objectIdOf(id) ?? null, organization_id }, due);
      },
      /** False if the source does not exist. */
      async remove(id: string): Promise<boolean> {
        const { deletedCount } = await model.deleteOne({ _id: objectIdOf(id) ?? null, organization_id });
        return deletedCount === 1;
      },
      /** The current number of its documents. */
      count: (source: StoredSource): Promise<number> => documents.countDocuments(matching(source)),
      /** Its documents, oldest first, at most `limit`, after the document `after`. */
      async documentIds(source: StoredSource, limit: number, after?: string): Promise<string[]> {
        const later = after === undefined ? {} : { $and: [{ _id: { $gt: new mongoose.Types.ObjectId(after) } }] };
        const filter: QueryFilter<DocumentRecord> = { ...matching(source), ...later };
        const records = await documents.find(filter, { _id: 1 }).sort({ _id: 1 }).limit(limit).lean();
        return records.map(({ _id }) => _id.toHexString());
      },
      /** The ids that belong to its documents. */
      async among(source: StoredSource, ids: readonly string[]): Promise<string[]> {
        if (ids.length === 0) return [];
        const filter = { ...matching(source), $and: [{ _id: { $in: objectIds(ids) } }] };
        const found = await documents.distinct('_id', filter);
        return found.map((id) => id.toHexString());
      },
      /** What changed of the ids of its documents since a version of them, where the database can say that. */
      idsSince: (source: StoredSource, known: string) => idChanges({ ...matching(source) }, known),
      /** By type, most frequent first. */
      async totals(source: StoredSource): Promise<FileTotals[]> {
        const totals = await documents.aggregate<FileTotals & { _id?: unknown }>([
          { $match: matching(source) },
          {
            $group: {
              _id: '$mime_type',
              files: { $sum: 1 },
              pages: { $sum: { $ifNull: ['$page_count', 0] } },
              size_bytes: { $sum: '$size_bytes' },
              unread: { $sum: { $cond: [{ $eq: ['$state', 'ocr_failed'] }, 1, 0] } },
              reading: { $sum: { $cond: [{ $in: ['$state', readingStates] }, 1, 0] } },
            },
          },
          { $sort: { files: -1, _id: 1 } },
          { $project: { _id: 0, mime_type: '$_id', files: 1, pages: 1, size_bytes: 1, unread: 1, reading: 1 } },
        ]);
        return totals;
      },
      /** From their records; the most frequent first. */
      async problems(source: StoredSource): Promise<FileProblems> {
        const [unreadable, copies] = await Promise.all([
          documents.aggregate<FileProblems['unreadable'][number]>([
            { $match: { ...matching(source), state: 'ocr_failed' } },
            {
              $group: {
                _id: '$state_error.code',
                message: { $first: '$state_error.message' },
                files: { $sum: 1 },
                example: { $first: '$document_name' },
              },
            },
            { $sort: { files: -1, _id: 1 } },
            { $limit: maxProblems },
            { $project: { _id: 0, code: '$_id', message: 1, files: 1, example: 1 } },
          ]),
          documents.aggregate<FileProblems['copies'][number]>([
            { $match: matching(source) },
            {
              $group: {
                _id: { mime_type: '$mime_type', size_bytes: '$size_bytes' },
                files: { $sum: 1 },
                one: { $first: '$document_name' },
                other: { $last: '$document_name' },
              },
            },
            { $match: { files: { $gt: 1 } } },
            { $sort: { files: -1, _id: 1 } },
            { $limit: maxProblems },
            { $project: { _id: 0, files: 1, one: 1, other: 1 } },
          ]),
        ]);
        return { unreadable, copies };
      },
      /** Up to `size` documents of one type, evenly spread over all of that type. */
      async sample(source: StoredSource, mimeType: string, size: number): Promise<string[]> {
        const filter = { ...matching(source), mime_type: mimeType };
        const records = await documents.find(filter, { _id: 1 }).sort({ _id: 1 }).lean();
        const step = Math.max(1, records.length / size);
        const places = Array.from({ length: Math.min(size, records.length) }, (_, at) => Math.floor(at * step));
        return places.flatMap((place) => records[place]?._id.toHexString() ?? []);
      },
    };
  };
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const millisecondsOf = (every: string): number => Number(every.slice(0, -1)) * (unitMs[every.slice(-1)] ?? 60_000);

const storedConnector = ({ masked, sealed }: SealedConnector) => ({
  connector: JSON.stringify(masked),
  ...(sealed !== undefined && { sealed_secrets: sealed }),
});

function connectorOf(stored: string): SourceConnector {
  const connector: SourceConnector = JSON.parse(stored);
  return connector;
}

/** Like `every_ms`, this is about sources with a connector alone. */
function presentSync({ sync, failures = 0, next_sync_at, lease }: SourceRecord): SourceSync {
  const isRunning = lease?.until !== undefined && lease.until.getTime() > Date.now();
  return {
    state: isRunning ? 'running' : failures >= failuresOfFailing ? 'failing' : 'waiting',
    ended_at: sync?.ended_at?.toISOString() ?? null,
    next_at: next_sync_at instanceof Date ? next_sync_at.toISOString() : null,
    counts: sync?.counts ?? { seen: 0, taken: 0, unchanged: 0, missing: 0, failed: 0 },
    errors: sync?.errors ?? [],
    error: sync?.error ?? null,
  };
}

const maxProblems = 10;

function matchingDocuments(
  organization_id: Types.ObjectId,
  source: StoredSource,
  connection: Connection,
): QueryFilter<DocumentRecord> {
  const filter: QueryFilter<DocumentRecord> = {
    organization_id,
    ...listedDocuments,
    // The same bytes would be found twice; models read what is found.
    duplicate_of: null,
    never_to_model_in: null,
  };
  if (source.connector) {
    filter.source_id = new mongoose.Types.ObjectId(source.id);
    return filter;
  }
  if (source.document_ids) filter._id = { $in: objectIds(source.document_ids) };
  if (source.tag_ids) filter.tag_ids = { $all: objectIds(source.tag_ids) };
  if (source.name_search !== undefined) Object.assign(filter, nameHas(source.name_search, connection));
  return filter;
}

const objectIds = (ids: readonly string[]): Types.ObjectId[] => ids.map((id) => new mongoose.Types.ObjectId(id));

function present(record: SourceRecord): StoredSource {
  return {
    id: record._id.toHexString(),
    name: record.name,
    ...(record.document_ids ? { document_ids: record.document_ids.map((id) => id.toHexString()) } : {}),
    ...(record.tag_ids || record.connector ? { tag_ids: (record.tag_ids ?? []).map((id) => id.toHexString()) } : {}),
    ...(record.name_search === null ? {} : { name_search: record.name_search }),
    ...(record.connector
      ? {
          connector: connectorOf(record.connector),
          never_to_model: record.never_to_model === true,
          enabled: record.is_enabled !== false,
          state: presentSync(record).state,
          last_sync: record.sync?.ended_at?.toISOString() ?? null,
        }
      : {}),
    ...(record.every ? { every: record.every } : {}),
    ...(typeof record.auto_create === 'boolean' ? { auto_create: record.auto_create } : {}),
    created_at: record.created_at.toISOString(),
    created_by: record.created_by.toHexString(),
  };
}
