import type { SeenFields } from '@docwright/contract';
import mongoose, { type Connection, type Types } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { editAsSeen } from '../../platform/records/seen-edit.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { outboxEvent, type EventRecord } from '../event-log/index.ts';
import { deliveryModel, webhookModel, type DeliveryRecord, type WebhookRecord } from './webhook-model.ts';

/** Webhooks of one organization and their deliveries. A malformed id finds nothing. */
export type WebhookRepository = ReturnType<ReturnType<typeof createWebhookRepositories>>;

/** Webhooks of all organizations, for the job that delivers. */
export type WebhookQueue = ReturnType<typeof createWebhookQueue>;

export function createWebhookRepositories(connection: Connection) {
  const webhooks = webhookModel(connection);
  const deliveries = deliveryModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string) => {
      const _id = objectIdOf(id);
      return _id && { _id, organization_id };
    };
    const again = { state: 'pending' as const, step: 0 };
    return {
      async list(page: PageSelection, createdBy?: string): Promise<{ records: WebhookRecord[]; end: PageEnd }> {
        const filter = {
          organization_id,
          ...(createdBy !== undefined && { created_by: new mongoose.Types.ObjectId(createdBy) }),
        };
        return await readPage(webhooks, filter, { ...page, sort: { _id: -1 } });
      },
      async get(id: string): Promise<WebhookRecord | undefined> {
        const filter = one(id);
        return (filter && (await webhooks.findOne(filter).lean())) ?? undefined;
      },
      count: (): Promise<number> => webhooks.countDocuments({ organization_id }),
      async create(webhook: Omit<WebhookRecord, '_id' | 'organization_id'>): Promise<WebhookRecord> {
        return (await webhooks.create({ ...webhook, organization_id })).toObject();
      },
      /** @param edit what its user saw of it, if they said so */
      async update(
        id: string,
        set: Partial<WebhookRecord>,
        { seen, present }: { seen?: SeenFields; present: (record: WebhookRecord) => object },
      ): Promise<WebhookRecord | undefined> {
        const filter = one(id);
        if (!filter) return undefined;
        const read = () => webhooks.findOne(filter).lean();
        return await editAsSeen({ what: 'webhook', seen, read, present }, (unchanged) =>
          webhooks
            .findOneAndUpdate({ ...filter, ...unchanged(set) }, { $set: set }, { returnDocument: 'after' })
            .lean(),
        );
      },
      async remove(id: string): Promise<void> {
        const filter = one(id);
        if (!filter) return;
        await webhooks.deleteOne(filter);
        await deliveries.deleteMany({ organization_id, webhook_id: filter._id });
      },
      async deliveries(id: string, page: PageSelection): Promise<{ records: DeliveryRecord[]; end: PageEnd }> {
        const webhook_id = objectIdOf(id);
        if (!webhook_id) return { records: [], end: { total_count: 0 } };
        const filter = { organization_id, webhook_id };
        return await readPage(deliveries, filter, { ...page, sort: { _id: -1 } });
      },
      /** Requests a try now, also of what has succeeded. Undefined if there is no such delivery. */
      async retry(id: string, deliveryId: string): Promise<DeliveryRecord | undefined> {
        const [_id, webhook_id] = [objectIdOf(deliveryId), objectIdOf(id)];
        if (!_id || !webhook_id) return undefined;
        const found = await deliveries
          .findOneAndUpdate(
            { _id, webhook_id, organization_id },
            { $set: { ...again, next_try_at: new Date() } },
            { returnDocument: 'after' },
          )
          .lean();
        return found ?? undefined;
      },
      /** Requests a try now of all that has not succeeded, from an event on. Returns their number. */
      async retryAll(id: string, fromSeq?: number): Promise<number> {
        const webhook_id = objectIdOf(id);
        if (!webhook_id) return 0;
        const filter = {
          organization_id,
          webhook_id,
          state: { $ne: 'succeeded' as const },
          ...(fromSeq !== undefined && { seq: { $gte: fromSeq } }),
        };
        return (await deliveries.updateMany(filter, { $set: { ...again, next_try_at: new Date() } })).matchedCount;
      },
      /** Creates the missing deliveries of events. */
      async plan(webhook: WebhookRecord, events: readonly EventRecord[]): Promise<void> {
        if (events.length === 0) return;
        const now = new Date();
        await deliveries.bulkWrite(
          events.map(({ id: event_id, seq, type }) => ({
            updateOne: {
              filter: { webhook_id: webhook._id, event_id },
              update: {
                $setOnInsert: {
                  organization_id,
                  seq,
                  type,
                  state: 'pending' as const,
                  tries: 0,
                  step: 0,
                  next_try_at: now,
                  status: null,
                  seconds: null,
                  created_at: now,
                },
              },
              upsert: true,
            },
          })),
        );
        // If it was removed meanwhile, its other deliveries are gone already.
        const { _id } = webhook;
        if ((await webhooks.exists({ _id, organization_id })) !== null) return;
        await deliveries.deleteMany({ organization_id, webhook_id: _id });
      },
    };
  };
}

export function createWebhookQueue(connection: Connection) {
  const webhooks = webhookModel(connection);
  const deliveries = deliveryModel(connection);
  const sound = { enabled: true as const, organization_id: { $type: 'objectId' as const } };
  return {
    /** Damaged ones hold up no others. */
    enabled: () => webhooks.find(sound).sort({ _id: 1 }).lean(),
    /** Stores that the events up to a number are planned, unless another process has. */
    async setPlanned({ _id, planned_through }: WebhookRecord, through: number) {
      await webhooks.updateOne({ _id, planned_through }, { $set: { planned_through: through } });
    },
    /** The webhooks with a delivery that is due. */
    async due(now: Date) {
      const ids: Types.ObjectId[] = [];
      for (let last = new mongoose.Types.ObjectId('0'.repeat(24)); ;) {
        // The first try of the next webhook: the others of it, which can be many, are not read.
        const first = await deliveries
          .findOne({ state: 'pending', webhook_id: { $gt: last } }, { webhook_id: 1, next_try_at: 1 })
          .sort({ webhook_id: 1, next_try_at: 1 })
          .lean();
        if (first === null) break;
        last = first.webhook_id;
        const time: unknown = first.next_try_at;
        if (isSound(time, now) && time > now) continue;
        ids.push(last);
        // A damaged time stands before all others, and no time of a sound clock is so far ahead: the delivery would wait for ever.
        if (!isSound(time, now)) {
          const alike = time instanceof Date ? { $gt: furthestAfter(now) } : ((time ?? null) as null);
          await deliveries.collection.updateMany(
            { webhook_id: last, state: 'pending', next_try_at: alike },
            { $set: { next_try_at: now } },
          );
        }
      }
      return ids.length === 0 ? [] : await webhooks.find({ ...sound, _id: { $in: ids } }).lean();
    },
    /** Due deliveries in order; with `ordered` only the first that has not succeeded or failed for good. */
    async next({ _id, ordered }: WebhookRecord, now: Date, limit: number) {
      const waiting = { webhook_id: _id, state: 'pending' as const };
      if (ordered) {
        const first = await deliveries.findOne(waiting).sort({ seq: 1 }).lean();
        const isLater = first !== null && isSound(first.next_try_at, now) && first.next_try_at > now;
        return first === null || isLater ? [] : [first];
      }
      return await deliveries
        .find({ ...waiting, next_try_at: { $lte: now } })
        .sort({ seq: 1 })
        .limit(limit)
        .lean();
    },
    async settle({ _id }: DeliveryRecord, outcome: Partial<DeliveryRecord>) {
      await deliveries.updateOne({ _id }, { $set: outcome, $inc: { tries: 1 } });
    },
    async setFailing({ _id }: WebhookRecord, since: Date | null) {
      const filter = since === null ? { _id } : { _id, failing_since: null };
      await webhooks.updateOne(filter, { $set: { failing_since: since } });
    },
    async disable({ _id, url }: WebhookRecord, because: NonNullable<WebhookRecord['disabled_because']>) {
      const told = outboxEvent('webhook.disabled', {
        webhook_id: _id.toHexString(),
        url: URL.parse(url)?.host,
        because,
      });
      await webhooks.updateOne(
        { _id, enabled: true },
        { $set: { enabled: false, disabled_because: because }, $push: { event_outbox: told } },
      );
    },
    /** Only the holder sends, so that no webhook has more than its tries at once. */
    leases: createLeases<WebhookRecord>(webhooks.collection, leaseFields),
    async sweep(before: Date) {
      await deliveries.deleteMany({ created_at: { $lt: before } });
    },
  };
}

/** More than the longest pause between two tries. */
const furthestMs = 2 * 24 * 3_600_000;
const furthestAfter = (now: Date) => new Date(now.getTime() + furthestMs);

/** Whether a stored time is one that a sound clock can have set. */
const isSound = (time: unknown, now: Date): time is Date => time instanceof Date && time <= furthestAfter(now);
