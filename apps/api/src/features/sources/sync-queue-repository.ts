import type { SourceConnector } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isDue } from '../../platform/database/database-clock.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { placeOfConnector } from './connectors/connector.ts';
import type { SyncedSource, SyncOutcome } from './sync-service.ts';
import { outboxEvent, toOutbox } from '../event-log/index.ts';
import type { SeenBatches } from './seen-batches.ts';
import { failuresOfFailing, sourceModel, type SourceRecord } from './source-model.ts';

/** A sync that this process does. */
export interface SyncClaim {
  source: SyncedSource;
  /** Its secrets are masked. */
  connector: SourceConnector;
  sealedSecrets: string | undefined;
  everyMs: number;
  failures: number;
  /** What the last sync has seen. */
  seen: SeenBatches | undefined;
  token: string;
}

/** A source whose folder can be watched. */
export interface WatchedSource {
  id: string;
  organizationId: string;
  connector: SourceConnector;
}

/** Sources that are due, of all organizations. One process at a time syncs a source. */
export type SyncQueueRepository = ReturnType<typeof createSyncQueue>;

const leaseMs = 20_000;
const maxPauseFactor = 32;
/** More than the longest interval at the longest pause. */
const furthestMs = 32 * 31 * 24 * 3_600_000 * 2;
const settledMarginMs = 200;
const maxWatched = 1_000;
const damagedPauseMs = 10 * 60_000;

export function createSyncQueue(connection: Connection) {
  const { collection } = sourceModel(connection);
  const leases = createLeases<SourceRecord>(collection, leaseFields);
  const one = ({ source }: SyncClaim) => ({ _id: new mongoose.Types.ObjectId(source.id) });
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds);
  /** Ends a sync. What was asked for meanwhile is done at once, however long the pause is. */
  async function end(claim: SyncClaim, update: object): Promise<void> {
    await leases.release(one(claim), claim.token, update);
    await collection.updateOne({ ...one(claim), is_wanted: true }, { $set: { next_sync_at: new Date() } });
  }
  const dueNow = () => ({ $or: isDue('next_sync_at', furthestMs), is_enabled: { $ne: false } });
  return {
    /** Whether a source is due, also one that a process already syncs. */
    isAnyDue: async (): Promise<boolean> => (await collection.findOne(dueNow(), { projection: { _id: 1 } })) !== null,
    /** The next source that is due, of another organization than these. */
    async claim(except: readonly string[] = []): Promise<SyncClaim | undefined> {
      const due = {
        ...dueNow(),
        ...(except.length > 0 && { organization_id: { $nin: except.map((id) => new mongoose.Types.ObjectId(id)) } }),
      };
      const claim = await leases.claim(due, { milliseconds: leaseMs, sort: { next_sync_at: 1 } });
      if (claim === undefined) return undefined;
      const { record, token } = claim;
      const sound = soundClaim(record, token);
      if (sound === undefined) {
        // A damaged one is looked at later, and holds up no other.
        await leases.release({ _id: record._id }, token, { $set: { next_sync_at: at(damagedPauseMs) } });
        return await this.claim(except);
      }
      await collection.updateOne({ _id: record._id }, { $unset: { is_wanted: 1 } });
      return sound;
    },
    async renew(claim: SyncClaim): Promise<boolean> {
      return (await leases.renew(one(claim), claim.token, leaseMs)) !== undefined;
    },
    async release(claim: SyncClaim): Promise<void> {
      await leases.release(one(claim), claim.token);
    },
    /** Whether a source of another organization is due and waits for a place. */
    async isOtherWaiting({ source }: SyncClaim): Promise<boolean> {
      const other = {
        ...leases.free,
        ...dueNow(),
        organization_id: { $ne: new mongoose.Types.ObjectId(source.organizationId) },
      };
      return (await collection.findOne(other, { projection: { _id: 1 } })) !== null;
    },
    /** Goes on after those that wait. */
    async postpone(claim: SyncClaim): Promise<void> {
      await leases.release(one(claim), claim.token, { $set: { next_sync_at: new Date() } });
    },
    /** The sources of folders that are enabled. */
    async folders(): Promise<WatchedSource[]> {
      const some = { next_sync_at: { $exists: true }, is_enabled: { $ne: false }, connector: /^\{"kind":"folder"/ };
      const records = await collection.find<SourceRecord>(some).limit(maxWatched).toArray();
      return records.flatMap((record) => {
        const { source, connector } = soundClaim(record, '') ?? {};
        return source && connector ? [{ id: source.id, organizationId: source.organizationId, connector }] : [];
      });
    },
    /** The files of a source have changed. */
    async want(id: string): Promise<void> {
      const due = { $set: { next_sync_at: new Date(), is_wanted: true } };
      await collection.updateOne({ _id: new mongoose.Types.ObjectId(id) }, due);
    },
    /** The server has replaced the secret of the source. */
    async storeSecrets(claim: SyncClaim, sealed_secrets: string | undefined): Promise<void> {
      if (sealed_secrets === undefined) return;
      // Not if a user has stored another one meanwhile.
      const same = { ...one(claim), sealed_secrets: claim.sealedSecrets ?? null };
      await collection.updateOne(same, { $set: { sealed_secrets } });
    },
    /** What a sync has done so far. */
    async noteProgress(claim: SyncClaim, { counts, errors }: Pick<SyncOutcome, 'counts' | 'errors'>): Promise<void> {
      await collection.updateOne(
        { ...one(claim), 'lease.token': claim.token },
        { $set: { 'sync.counts': { ...counts }, 'sync.errors': [...errors] } },
      );
    },
    /** Whether the source keeps its documents from models by now. */
    async isKeeping(claim: SyncClaim): Promise<boolean> {
      return (await collection.findOne({ ...one(claim), never_to_model: true }, { projection: { _id: 1 } })) !== null;
    },
    /** The batches that it has seen no longer hold. */
    async forgetSeen(claim: SyncClaim): Promise<void> {
      await collection.updateOne({ ...one(claim), 'lease.token': claim.token }, { $unset: { seen_batches: 1 } });
    },
    async finish(claim: SyncClaim, { counts, errors, seen, againInMs = Infinity }: SyncOutcome): Promise<void> {
      const sync = { counts, errors, error: null, ended_at: new Date() };
      const $set = { sync, failures: 0, next_sync_at: at(Math.min(claim.everyMs, againInMs + settledMarginMs)) };
      const remembered =
        seen === undefined ? { $unset: { seen_batches: 1 as const } } : { $set: { ...$set, seen_batches: seen } };
      await end(claim, { $set, ...remembered });
    },
    /** The whole sync failed. It is tried again at growing pauses. */
    async fail(claim: SyncClaim, error: { code: string; message: string }): Promise<void> {
      const failures = claim.failures + 1;
      const pause = claim.everyMs * Math.min(maxPauseFactor, 2 ** (failures - 1));
      const $set = { 'sync.error': error, 'sync.ended_at': new Date(), failures, next_sync_at: at(pause) };
      const told =
        failures === failuresOfFailing ? toOutbox(outboxEvent('source.failing', { code: error.code, failures })) : {};
      await end(claim, { $set, ...told });
    },
  };
}

/** Undefined if the record is damaged. */
function soundClaim(record: SourceRecord, token: string): SyncClaim | undefined {
  try {
    const connector: SourceConnector = JSON.parse(record.connector ?? '{}');
    return {
      source: {
        id: record._id.toHexString(),
        organizationId: record.organization_id.toHexString(),
        tagIds: (record.tag_ids ?? []).map((id) => id.toHexString()),
        autoCreate: record.auto_create ?? undefined,
        neverToModel: record.never_to_model === true,
        place: placeOfConnector(connector),
      },
      connector,
      sealedSecrets: record.sealed_secrets,
      everyMs: record.every_ms ?? 0,
      failures: record.failures ?? 0,
      seen: record.seen_batches,
      token,
    };
  } catch {
    return undefined;
  }
}
