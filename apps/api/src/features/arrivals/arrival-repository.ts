import type { OnArrival, WriteOriginInfo } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { organizationsWith } from '../../platform/leases/organizations-with.ts';
import { documentModel, readingStates, type DocumentRecord } from '../documents/index.ts';

/** A document whose tags may start something. */
export interface ArrivedDocument {
  organizationId: string;
  id: string;
  tagIds: string[];
  /** What these tags start by its routes, which override the tags. */
  byRoute: (OnArrival & { tag_ids: string[] }) | null;
  /** The route and the source that brought it here, for the audit log. */
  origin: Pick<WriteOriginInfo, 'route_id' | 'source_id'>;
  /** Its number of changes when it was read. */
  changes: number | null;
  /** What was started: the key is the id of a prompt, or `auto_create`. `run_id` until the run is stored. */
  arrivals: { key: string; run_id?: string | null }[];
}

/** What the tags of documents have started, in all organizations. */
export type ArrivalRepository = ReturnType<typeof createArrivalRepository>;

export function createArrivalRepository(connection: Connection) {
  const model = documentModel(connection);
  const of = (organizationId: string, ids: readonly string[]) => ({
    _id: { $in: objectIdsOf(ids) },
    organization_id: new mongoose.Types.ObjectId(organizationId),
  });
  return {
    /** The organizations with documents that wait, in turns. */
    organizations: (): AsyncIterable<Types.ObjectId> => organizationsWith(model.collection, { arrival_due: true }),
    /** Documents with their text and their route: the oldest, and as many of the newest, which wait for no long queue. */
    async due(organizationId: string, limit: number): Promise<ArrivedDocument[]> {
      const due: QueryFilter<DocumentRecord> = {
        arrival_due: true,
        organization_id: new mongoose.Types.ObjectId(organizationId),
        routing_due: null,
        deleted_at: null,
        duplicate_of: null,
        state: { $nin: readingStates },
      };
      const half = Math.ceil(limit / 2);
      const oldest = await model.find(due).sort({ _id: 1 }).limit(half).lean();
      if (oldest.length < half) return soundOf(oldest);
      const newest = { ...due, _id: { $gt: oldest.at(-1)!._id } };
      return soundOf([...oldest, ...(await model.find(newest).sort({ _id: -1 }).limit(half).lean())]);
    },
    /** Notes the run that starts this for the documents, once for each. Null: a rule denies it. */
    async claim(organizationId: string, ids: readonly string[], key: string, runId: string | null): Promise<void> {
      await model.updateMany(
        { ...of(organizationId, ids), 'arrivals.key': { $ne: key } },
        { $push: { arrivals: { key, run_id: runId } } },
      );
    },
    async read(organizationId: string, ids: readonly string[]): Promise<ArrivedDocument[]> {
      return (await model.find(of(organizationId, ids)).lean()).map(present);
    },
    /** The runs are stored. A document that was changed since it was read stays due. */
    async done({ organizationId, id, changes, arrivals }: ArrivedDocument): Promise<void> {
      await model.updateOne(
        { ...of(organizationId, []), _id: objectIdOf(id) ?? null, changes },
        { $set: { arrivals: arrivals.map(({ key }) => ({ key })) }, $unset: { arrival_due: 1 } },
      );
    },
    /** How many of the documents the prompt has not been started for. */
    async countNew(organizationId: string, ids: readonly string[], key: string): Promise<number> {
      return await model.countDocuments({
        ...of(organizationId, ids),
        deleted_at: null,
        duplicate_of: null,
        'arrivals.key': { $ne: key },
      });
    },
  };
}

/** Nothing can be started for a damaged one, which holds up no other. */
function soundOf(records: readonly DocumentRecord[]): ArrivedDocument[] {
  return records.flatMap((record) => {
    const { tag_ids, arrivals } = record as { tag_ids: unknown; arrivals?: unknown };
    return Array.isArray(tag_ids) && (arrivals === undefined || Array.isArray(arrivals)) ? [present(record)] : [];
  });
}

function present({
  _id,
  organization_id,
  tag_ids,
  route_arrival,
  routing,
  source_id,
  changes,
  arrivals = [],
}: DocumentRecord): ArrivedDocument {
  const route_id = routing?.route_ids[0];
  return {
    organizationId: organization_id.toHexString(),
    id: _id.toHexString(),
    tagIds: tag_ids.map((id) => id.toHexString()),
    byRoute: route_arrival ?? null,
    origin: { ...(route_id && { route_id }), ...(source_id && { source_id: source_id.toHexString() }) },
    changes: changes ?? null,
    arrivals,
  };
}
