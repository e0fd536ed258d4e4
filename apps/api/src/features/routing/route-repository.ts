import type { CreateRouteBody, PatchRouteBody, Route, RouteThen, RouteWhen } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { editAsSeen } from '../../platform/records/seen-edit.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

type RouteRecord = StoredRecord<typeof routeSchema>;

const routeSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    position: field.number,
    /** JSON: keys of metadata can have dots and dollar signs. */
    when: field.text,
    then: field.text,
    stop: field.flag,
    /** Absent in records of earlier versions. */
    trust: field.flag.optional(),
    min_confidence: field.number.optional(),
    enabled: field.flag,
    created_by: field.text,
    updated_at: field.date,
  },
  { collection: 'routes' },
);
routeSchema.index({ organization_id: 1, position: 1, _id: 1 });

const routeModel = modelOf('Route', routeSchema);

/** The routes of one organization. */
export type RouteRepository = ReturnType<ReturnType<typeof createRouteRepositories>>;

export function createRouteRepositories(connection: Connection) {
  const model = routeModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string) => ({ _id: objectIdOf(id) ?? null, organization_id });
    return {
      /** In the order in which they are judged. */
      async all(): Promise<Route[]> {
        return presentEach(await model.find({ organization_id }).sort({ position: 1, _id: 1 }).lean(), present);
      },
      async get(id: string): Promise<Route | undefined> {
        const record = await model.findOne(one(id)).lean();
        return record === null ? undefined : present(record);
      },
      /** Comes last. */
      async create({ when, then, ...route }: CreateRouteBody, created_by: string): Promise<Route> {
        const last = await model.findOne({ organization_id }, { position: 1 }).sort({ position: -1, _id: -1 }).lean();
        const created = await model.create({
          ...route,
          when: JSON.stringify(when),
          then: JSON.stringify(then),
          organization_id,
          position: (last?.position ?? -1) + 1,
          created_by,
          updated_at: new Date(),
        });
        return present(created.toObject());
      },
      async update(id: string, { seen, when, then, ...change }: PatchRouteBody): Promise<Route | undefined> {
        const set = {
          ...change,
          ...(when && { when: JSON.stringify(when) }),
          ...(then && { then: JSON.stringify(then) }),
          updated_at: new Date(),
        };
        const read = () => model.findOne(one(id)).lean();
        const record = await editAsSeen({ what: 'route', seen, read, present }, (unchanged) =>
          model.findOneAndUpdate({ ...one(id), ...unchanged(set) }, { $set: set }, { returnDocument: 'after' }).lean(),
        );
        return record && present(record);
      },
      async remove(id: string): Promise<boolean> {
        return (await model.deleteOne(one(id))).deletedCount === 1;
      },
      /** Sets the order of all routes. */
      async order(ids: readonly string[]): Promise<void> {
        await model.bulkWrite(
          ids.map((id, position) => ({ updateOne: { filter: one(id), update: { $set: { position } } } })),
        );
      },
    };
  };
}

function present(record: RouteRecord): Route {
  const when: RouteWhen = JSON.parse(record.when);
  const then: RouteThen = JSON.parse(record.then);
  return {
    id: record._id.toHexString(),
    name: record.name,
    position: record.position,
    when,
    then,
    stop: record.stop,
    trust: record.trust ?? false,
    min_confidence: record.min_confidence ?? 0.9,
    enabled: record.enabled,
    created_by: record.created_by,
    updated_at: record.updated_at.toISOString(),
  };
}
