import type { DocumentSelection } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel, documentQuery, inTrash } from '../documents/index.ts';

/** Chooses the documents of a bulk job in one organization, from the list or from the trash. */
export interface DocumentChoiceRepository {
  /** The matching ids in the order of the query. Returns `max` + 1 ids if more than `max` match. */
  find(query: DocumentSelection, from: 'list' | 'trash', max: number): Promise<string[]>;
  /** Returns the `ids` of documents in the list, in their order. */
  existing(ids: readonly string[]): Promise<string[]>;
}

export function createDocumentChoices(connection: Connection): (organizationId: string) => DocumentChoiceRepository {
  const model = documentModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const list = { organization_id, deleted_at: null };
    return {
      async find(query, from, max) {
        const { filter, sort } =
          from === 'trash'
            ? documentQuery(inTrash(organization_id), { ...query, include_replaced: true })
            : documentQuery(list, query);
        const records = await model
          .find(filter, { _id: 1 })
          .sort(sort)
          .limit(max + 1)
          .lean();
        return records.map(({ _id }) => _id.toHexString());
      },
      async existing(ids) {
        const found = await model.find({ ...list, _id: { $in: objectIdsOf(ids) } }, { _id: 1 }).lean();
        const known = new Set(found.map(({ _id }) => _id.toHexString()));
        return ids.filter((id) => known.has(id));
      },
    };
  };
}
