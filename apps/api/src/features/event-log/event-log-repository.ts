import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { exceptIds } from '../../platform/database/object-id.ts';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import { organizationsWith } from '../../platform/leases/organizations-with.ts';
import { eventLogModel, type EventRecord, type OutboxEvent } from './event-log-model.ts';

/** An event with what it is about. `document_id` and `prompt_id` of its data are what filters use. */
export type NewEvent = OutboxEvent & { data: Record<string, unknown> };

/** The event log of each organization. */
export type EventLog = ReturnType<typeof createEventLog>;

const keptMs = 30 * 86_400_000;
const maxAttempts = 500;

/** An event for the outbox of a record. */
export function outboxEvent(type: EventType, data?: Record<string, unknown>): OutboxEvent {
  return { id: `evt_${randomUUID().replaceAll('-', '')}`, type, at: new Date(), ...(data && { data }) };
}

/** The part of an update that puts events into the outbox of a record; of any type, as the driver knows no such field. */
export const toOutbox = (...events: OutboxEvent[]): { $push?: never } =>
  events.length === 0 ? {} : { $push: { event_outbox: { $each: events } } as never };

export function createEventLog(connection: Connection) {
  const model = eventLogModel(connection);
  const listeners = new Set<(organizationId: string) => void>();
  /** The last append of each organization in this process: they do not compete with each other. */
  const chains = new Map<string, Promise<void>>();
  const own = (organizationId: string) => ({ organization_id: new mongoose.Types.ObjectId(organizationId) });

  async function lastSeq(organizationId: string): Promise<number> {
    const last = await model.findOne(own(organizationId), { seq: 1 }).sort({ seq: -1 }).lean();
    return last?.seq ?? 0;
  }

  async function insert(organizationId: string, events: readonly NewEvent[]): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const ids = events.map(({ id }) => id);
      const known = await model.find({ ...own(organizationId), id: { $in: ids } }, { id: 1 }).lean();
      const stored = new Set(known.map(({ id }) => id));
      const missing = events.filter(({ id }) => !stored.has(id));
      if (missing.length === 0) return;
      const last = await lastSeq(organizationId);
      const stored_at = new Date();
      const records = missing.map(({ id, type, at, data }, index) => ({
        ...own(organizationId),
        seq: last + 1 + index,
        id,
        type,
        at,
        data,
        ...(typeof data['document_id'] === 'string' && { document_id: data['document_id'] }),
        ...(typeof data['prompt_id'] === 'string' && { prompt_id: data['prompt_id'] }),
        stored_at,
      }));
      try {
        // Ordered: it stops at a number that another process has taken.
        await model.insertMany(records, { ordered: true });
        return;
      } catch (error) {
        ignoreDuplicateKey(error);
        await delay(Math.random() * Math.min(5 + attempt, 50));
      }
    }
    throw new Error('Too many processes append events of one organization at once.');
  }

  return {
    /**
     * Appends events; those whose id is in the log are left out, so that a caller can repeat it after a crash. Numbers are
     * dense, and an event is never visible before one with a lower number.
     */
    async append(organizationId: string, events: readonly NewEvent[]): Promise<void> {
      if (events.length === 0) return;
      const former = chains.get(organizationId) ?? Promise.resolve();
      const next = former.catch(() => undefined).then(() => insert(organizationId, events));
      chains.set(organizationId, next);
      try {
        await next;
      } finally {
        if (chains.get(organizationId) === next) chains.delete(organizationId);
      }
      for (const listener of listeners) listener(organizationId);
    },
    /** Events after a number, in order. */
    list: (organizationId: string, after: number, limit: number): Promise<EventRecord[]> =>
      model
        .find({ ...own(organizationId), seq: { $gt: after } })
        .sort({ seq: 1 })
        .limit(limit)
        .lean(),
    /** The number of the first event that is kept, and of the last one; the next number and the one before without any. */
    async range(organizationId: string): Promise<{ oldest: number; last: number }> {
      const last = await lastSeq(organizationId);
      const kept = { ...own(organizationId), stored_at: { $gt: new Date(Date.now() - keptMs) } };
      const [first] = await model.find(kept, { seq: 1 }).sort({ seq: 1 }).limit(1).lean();
      return { oldest: first?.seq ?? last + 1, last };
    },
    async get(organizationId: string, id: string): Promise<EventRecord | undefined> {
      return (await model.findOne({ ...own(organizationId), id }).lean()) ?? undefined;
    },
    /** Deletes what is older than 30 days. The last event stays without its data, since it has the last number. */
    async sweep(now: Date = new Date()): Promise<void> {
      const before = new Date(now.getTime() - keptMs);
      for (const organization of await model.distinct('organization_id', { stored_at: { $lte: before } })) {
        const organizationId = String(organization);
        const last = await lastSeq(organizationId);
        // By number, so that no event goes before an older one; clocks of processes differ.
        const kept = { ...own(organizationId), stored_at: { $gt: before } };
        const [first] = await model.find(kept, { seq: 1 }).sort({ seq: 1 }).limit(1).lean();
        await model.deleteMany({ ...own(organizationId), seq: { $lt: first?.seq ?? last } });
        if (!first) await model.updateOne({ ...own(organizationId), seq: last }, { $set: { data: {} } });
      }
    },
    /** Removes the names of a document that is removed for good. */
    async forgetDocument(organizationId: string, documentId: string): Promise<void> {
      const filter = { ...own(organizationId), document_id: documentId };
      await model.updateMany(filter, { $unset: { 'data.document_name': 1 } });
    },
    /** Called in this process after events were appended. */
    onAppend(listener: (organizationId: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A collection whose records have an outbox, and what its events say. */
interface OutboxSource {
  collection: string;
  describe: (record: Record<string, unknown>) => Record<string, unknown>;
}

/** The field of a record's outbox. */
const outboxField = 'event_outbox';

/** So many waiting records of a collection are published at once. Of more, organizations take turns. */
const fewRecords = 200;
/** Records of an organization whose events are published before the next one has its turn. */
const recordsOfTurn = 50;

type Waiting = mongoose.mongo.WithId<Record<string, unknown>>;

const hasOrganization = (record: Record<string, unknown>): boolean =>
  record['organization_id'] instanceof mongoose.mongo.ObjectId;

/** Throws if the record is damaged, of which nothing can be told. */
function eventsIn(record: Record<string, unknown>, { describe }: OutboxSource): NewEvent[] {
  const outbox = record[outboxField];
  if (!hasOrganization(record) || !Array.isArray(outbox)) throw new TypeError();
  const facts = describe(record);
  return outbox.map((event: OutboxEvent) => {
    if (typeof event.id !== 'string' || !(event.at instanceof Date)) throw new TypeError();
    return { ...event, data: { ...facts, ...event.data } };
  });
}

/**
 * Moves events from the outboxes of records to the log. A process that dies in between repeats it. A damaged record holds up
 * no other, and neither does an organization with many.
 */
export function createOutboxRelay(
  connection: Connection,
  log: Pick<EventLog, 'append'>,
  sources: OutboxSource[],
  logger: Parameters<typeof createSetAside>[0]['log'],
) {
  const aside = createSetAside({ log: logger, failure: 'events could not be published' });
  const waiting = () => ({ [`${outboxField}.id`]: { $exists: true }, ...exceptIds(aside.ids()) });

  async function publish(source: OutboxSource, found: readonly Waiting[]): Promise<void> {
    const records = connection.collection(source.collection);
    const eventsOf = new Map<unknown, NewEvent[]>();
    for (const record of found) {
      await aside.work(String(record._id), async () => void eventsOf.set(record._id, eventsIn(record, source)));
    }
    const sound = found.filter(({ _id }) => eventsOf.has(_id));
    for (const [organization, own] of Map.groupBy(sound, (record) => String(record['organization_id']))) {
      const events = own.flatMap(({ _id }) => eventsOf.get(_id) ?? []);
      await log.append(
        organization,
        events.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
      );
      for (const record of own) {
        const ids = (record[outboxField] as OutboxEvent[]).map(({ id }) => id);
        await records.updateOne({ _id: record._id }, { $pull: { [outboxField]: { id: { $in: ids } } } as never });
      }
    }
  }

  /**
   * Publishes what few records wait, or a turn of each organization. Returns whether more can wait.
   *
   * @param isBacklog whether many waited before: mostly many still do, of which only the organization is of interest here
   */
  async function publishSome(source: OutboxSource, signal: AbortSignal, isBacklog: boolean): Promise<boolean> {
    const records = connection.collection(source.collection);
    const first = (projection: Record<string, 1>) =>
      records.find(waiting(), { limit: fewRecords, projection }).toArray();
    const found = await first(isBacklog ? { organization_id: 1 } : {});
    if (found.length < fewRecords) {
      const whole = isBacklog ? await first({}) : found;
      await publish(source, whole);
      return whole.length === fewRecords;
    }
    // An organization that is damaged has no turn: its records are set aside here.
    await publish(
      source,
      found.filter((record) => !hasOrganization(record)),
    );
    for await (const organization_id of organizationsWith(records, waiting())) {
      if (signal.aborted) return false;
      const own = { ...waiting(), organization_id };
      await publish(source, await records.find(own, { limit: recordsOfTurn }).toArray());
    }
    return true;
  }

  return async (signal: AbortSignal): Promise<void> => {
    const backlog = new Set<OutboxSource>();
    do {
      for (const source of sources) {
        if (signal.aborted) return;
        if (await publishSome(source, signal, backlog.has(source))) backlog.add(source);
        else backlog.delete(source);
      }
    } while (backlog.size > 0);
  };
}
