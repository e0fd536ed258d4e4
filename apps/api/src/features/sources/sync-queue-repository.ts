import type { SourceConnector, SourceSync } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import type { SyncedSource } from './sync-service.ts';
import { outboxEvent, toOutbox } from '../event-log/index.ts';
import { failuresOfFailing, sourceModel, type SourceRecord } from './source-model.ts';

/** A sync that this process does. */
export interface SyncClaim {
  source: SyncedSource;
  connector: SourceConnector;
  everyMs: number;
  failures: number;
  token: string;
}

/** Sources that are due, of all organizations. One process at a time syncs a source. */
export interface SyncQueueRepository {
  claim(): Promise<SyncClaim | undefined>;
  renew(claim: SyncClaim): Promise<boolean>;
  release(claim: SyncClaim): Promise<void>;
  finish(claim: SyncClaim, sync: Pick<SourceSync, 'counts' | 'errors'>): Promise<void>;
  /** The whole sync failed. It is tried again at growing pauses. */
  fail(claim: SyncClaim, error: { code: string; message: string }): Promise<void>;
}

const leaseMs = 20_000;
const maxPauseFactor = 32;

export function createSyncQueue(connection: Connection): SyncQueueRepository {
  const { collection } = sourceModel(connection);
  const leases = createLeases<SourceRecord>(collection, leaseFields);
  const one = ({ source }: SyncClaim) => ({ _id: new mongoose.Types.ObjectId(source.id) });
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds);
  return {
    async claim() {
      const due = { next_sync_at: { $lte: new Date() } };
      const claim = await leases.claim(due, { milliseconds: leaseMs, sort: { next_sync_at: 1 } });
      if (claim === undefined) return undefined;
      const { record, token } = claim;
      const connector: SourceConnector = JSON.parse(record.connector ?? '{}');
      return {
        source: {
          id: record._id.toHexString(),
          organizationId: record.organization_id.toHexString(),
          createdBy: record.created_by.toHexString(),
          tagIds: (record.tag_ids ?? []).map((id) => id.toHexString()),
          autoCreate: record.auto_create ?? undefined,
        },
        connector,
        everyMs: record.every_ms ?? 0,
        failures: record.failures ?? 0,
        token,
      };
    },
    async renew(claim) {
      return (await leases.renew(one(claim), claim.token, leaseMs)) !== undefined;
    },
    async release(claim) {
      await leases.release(one(claim), claim.token);
    },
    async finish(claim, { counts, errors }) {
      const sync = { counts, errors, error: null, ended_at: new Date() };
      const $set = { sync, failures: 0, next_sync_at: at(claim.everyMs) };
      await leases.release(one(claim), claim.token, { $set });
    },
    async fail(claim, error) {
      const failures = claim.failures + 1;
      const pause = claim.everyMs * Math.min(maxPauseFactor, 2 ** (failures - 1));
      const $set = { 'sync.error': error, 'sync.ended_at': new Date(), failures, next_sync_at: at(pause) };
      const told =
        failures === failuresOfFailing ? toOutbox(outboxEvent('source.failing', { code: error.code, failures })) : {};
      await leases.release(one(claim), claim.token, { $set, ...told });
    },
  };
}
