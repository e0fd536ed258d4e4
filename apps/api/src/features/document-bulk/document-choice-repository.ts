import type { DocumentSelection } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel, documentQuery, inTrash, type WaitingCalls } from '../documents/index.ts';
import { documentRunModel } from '../headless/index.ts';

export interface ChosenDocument {
  id: string;
  tag_ids: string[];
  is_duplicate: boolean;
  /** A proposal for it waits for a decision. */
  is_proposed: boolean;
}

/** Chooses the documents of a bulk job in one organization, from the list or from the trash. */
export interface DocumentChoiceRepository {
  /** The matching ids in the order of the query. Returns `max` + 1 ids if more than `max` match. */
  find(query: DocumentSelection, from: 'list' | 'trash', max: number): Promise<string[]>;
  /** The documents of the list among `ids`, in their order, with what decides their prompt. */
  read(ids: readonly string[]): Promise<ChosenDocument[]>;
  /** The SPU of the last preparations of the organization, newest first. */
  spuOfPreparations(): Promise<number[]>;
  /** The names of the documents that exist, also in the trash. */
  names(ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns the `ids` of documents in the list, in their order. */
  existing(ids: readonly string[]): Promise<string[]>;
}

/** Only the newest runs of documents are searched for preparations, because there can be hundreds of thousands. */
const searchedRuns = 2_000;
const sampledPreparations = 50;

export function createDocumentChoices(
  connection: Connection,
): (organizationId: string, waitingCalls: Pick<WaitingCalls, 'documentIds'>) => DocumentChoiceRepository {
  const model = documentModel(connection);
  return (organizationId, waitingCalls) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const list = { organization_id, deleted_at: null };
    return {
      async find(query, from, max) {
        const { filter, sort } =
          from === 'trash'
            ? documentQuery(inTrash(organization_id), { ...query, include_replaced: true })
            : documentQuery(list, {
                ...query,
                waiting: query.stage === undefined ? undefined : await waitingCalls.documentIds(),
              });
        const records = await model
          .find(filter, { _id: 1 })
          .sort(sort)
          .limit(max + 1)
          .lean();
        return records.map(({ _id }) => _id.toHexString());
      },
      async read(ids) {
        const fields = { tag_ids: 1, duplicate_of: 1, auto_create: 1 } as const;
        const found = await model.find({ ...list, _id: { $in: objectIdsOf(ids) } }, fields).lean();
        const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
        return ids.flatMap((id) => {
          const record = byId.get(id.toLowerCase());
          if (record === undefined) return [];
          const { tag_ids, duplicate_of, auto_create } = record;
          return {
            id,
            tag_ids: tag_ids.map(String),
            is_duplicate: Boolean(duplicate_of),
            is_proposed: auto_create?.status === 'proposed',
          };
        });
      },
      async spuOfPreparations() {
        const newest = await documentRunModel(connection)
          .find({ organization_id }, { kind: 1, ended_at: 1, spu_used: 1 })
          .sort({ rank: -1 })
          .limit(searchedRuns)
          .lean();
        const ended = newest.filter(({ kind, ended_at }) => kind === 'auto_create' && ended_at !== null);
        return ended.flatMap(({ spu_used }) => (spu_used > 0 ? [spu_used] : [])).slice(0, sampledPreparations);
      },
      async names(ids) {
        if (ids.length === 0) return new Map();
        const among = { organization_id, _id: { $in: objectIdsOf(ids) } };
        const found = await model.find(among, { document_name: 1 }).lean();
        return new Map(found.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
      },
      async existing(ids) {
        const found = await model.find({ ...list, _id: { $in: objectIdsOf(ids) } }, { _id: 1 }).lean();
        const known = new Set(found.map(({ _id }) => _id.toHexString()));
        return ids.filter((id) => known.has(id));
      },
    };
  };
}
