import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { createDocumentIds, createUnlistedDocuments, documentModel } from '../documents/index.ts';
import { countOpen, reviewQueueModel } from '../review/index.ts';
import type { ResultDocuments } from './result-service.ts';

/** Reads of documents what the index does not hold. */
export function createResultDocuments(connection: Connection): ResultDocuments {
  const documents = documentModel(connection);
  const idsOf = createDocumentIds(connection);
  const queue = reviewQueueModel(connection);
  const organization = (id: string) => ({ organization_id: new mongoose.Types.ObjectId(id) });

  return {
    async names(organizationId, ids) {
      const records = await documents
        .find({ ...organization(organizationId), _id: { $in: objectIdsOf(ids) } }, { document_name: 1 })
        .lean();
      return new Map(records.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
    },
    unlisted: createUnlistedDocuments(connection),
    keptFromModels: (organizationId) =>
      idsOf({ never_to_model_in: new mongoose.Types.ObjectId(organizationId), ...organization(organizationId) }),
    withTags: (organizationId, tagIds) =>
      idsOf({ ...organization(organizationId), deleted_at: null, tag_ids: { $all: objectIdsOf(tagIds) } }),
    async reviews(organizationId, promptId, ids) {
      const own = { ...organization(organizationId), document_id: { $in: objectIdsOf(ids) }, prompt_id: promptId };
      const entries = await queue.collection.find(own, { projection: { document_id: 1, open: 1 } }).toArray();
      return new Map(
        entries.map(({ document_id, open }) => {
          const packed = Buffer.from((open as mongoose.mongo.Binary).buffer);
          const { count, topRisk } = countOpen(packed, { all: true });
          const to_check = countOpen(packed, {}).count;
          return [String(document_id), { to_check, ...(count > 0 && { risk: topRisk }) }];
        }),
      );
    },
  };
}
