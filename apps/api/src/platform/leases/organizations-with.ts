import type { Collection, mongo, Types } from 'mongoose';
import { objectIdOf } from '../database/object-id.ts';

const beforeAll = objectIdOf('0'.repeat(24))!;

/**
 * The organizations with a matching record, each once, in the order of their ids. The next one is looked up when the caller is
 * done with the former, so that work is done in turns: much work of one organization does not delay that of others. Takes an
 * index that has `organization_id` after the fields of the filter. A record with a damaged organization is left out.
 *
 * @example
 * for await (const organization_id of organizationsWith(model.collection, { is_pending: true })) await workFor(organization_id);
 */
export async function* organizationsWith(
  collection: Collection,
  filter: Readonly<Record<string, unknown>>,
): AsyncGenerator<Types.ObjectId, undefined> {
  for (let after = beforeAll; ;) {
    const next: mongo.Filter<mongo.BSON.Document> = { ...filter, organization_id: { $gt: after } };
    const found = await collection.findOne<{ organization_id: Types.ObjectId }>(next, {
      sort: { organization_id: 1 },
      projection: { organization_id: 1 },
    });
    if (found === null) return undefined;
    after = found.organization_id;
    yield after;
  }
}
