import type { DocumentSelection } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel, documentQuery, inTrash, type WaitingCalls } from '../documents/index.ts';
import { documentRunModel } from '../headless/index.ts';

export interface BulkDocument {
  id: string;
  tag_ids: string[];
  is_duplicate: boolean;
  /** Its text could not be read. */
  has_no_text: boolean;
  /** A proposal for it waits for a decision. */
  is_proposed: boolean;
}

/** Chooses the documents of a bulk job in one organization, from the list or from the trash. */
export type DocumentChoiceRepository = ReturnType<ReturnType<typeof createDocumentChoices>>;

/** Only the newest runs of documents are searched for preparations, because there can be hundreds of thousands. */
const searchedRuns = 2_000;
const sampledPreparations = 50;

export function createDocumentChoices(connection: Connection) {
  const model = documentModel(connection);
  return (organizationId: string, waitingCalls: Pick<WaitingCalls, 'stageFacts'>) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const list = { organization_id, deleted_at: null };
    return {
      /** The matching ids in the order of the query. Returns `max` + 1 ids if more than `max` match. */
      async find(query: DocumentSelection, from: 'list' | 'trash', max: number): Promise<string[]> {
        const { filter, sort } =
          from === 'trash'
            ? documentQuery(inTrash(organization_id), { ...query, include_replaced: true }, connection)
            : documentQuery(
                list,
                { ...query, stageFacts: query.stage === undefined ? undefined : await waitingCalls.stageFacts() },
                connection,
              );
        const records = await model
          .find(filter, { _id: 1 })
          .sort(sort)
          .limit(max + 1)
          .lean();
        return records.map(({ _id }) => _id.toHexString());
      },
      /** The documents of the list among `ids`, in their order, with what decides their prompt. */
      async read(ids: readonly string[]): Promise<BulkDocument[]> {
        const fields = { tag_ids: 1, duplicate_of: 1, auto_create: 1, state: 1 } as const;
        const found = await model.find({ ...list, _id: { $in: objectIdsOf(ids) } }, fields).lean();
        const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
        return ids.flatMap((id) => {
          const record = byId.get(id.toLowerCase());
          if (record === undefined) return [];
          const { tag_ids, duplicate_of, auto_create, state } = record;
          return {
            id,
            tag_ids: tag_ids.map(String),
            is_duplicate: Boolean(duplicate_of),
            has_no_text: state === 'ocr_failed',
            is_proposed: auto_create?.status === 'proposed',
          };
        });
      },
      /** The SPU of the last preparations of the organization, newest first. */
      async spuOfPreparations(): Promise<number[]> {
        const newest = await documentRunModel(connection)
          .find({ organization_id }, { kind: 1, ended_at: 1, spu_used: 1 })
          .sort({ rank: -1 })
          .limit(searchedRuns)
          .lean();
        const ended = newest.filter(({ kind, ended_at }) => kind === 'auto_create' && ended_at !== null);
        return ended.flatMap(({ spu_used }) => (spu_used > 0 ? [spu_used] : [])).slice(0, sampledPreparations);
      },
      /** The names of the documents that exist, also in the trash. */
      async names(ids: readonly string[]): Promise<Map<string, string>> {
        if (ids.length === 0) return new Map();
        const among = { organization_id, _id: { $in: objectIdsOf(ids) } };
        const found = await model.find(among, { document_name: 1 }).lean();
        return new Map(found.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
      },
      /** Returns the `ids` of documents in the list, in their order. */
      async existing(ids: readonly string[]): Promise<string[]> {
        const found = await model.find({ ...list, _id: { $in: objectIdsOf(ids) } }, { _id: 1 }).lean();
        const known = new Set(found.map(({ _id }) => _id.toHexString()));
        return ids.filter((id) => known.has(id));
      },
    };
  };
}
