import { isTraced, traceEnded } from '@docwright/agent-core';
import { DomainError, type TurnStatus } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { isOver, literal } from '../../platform/database/database-clock.ts';
import { createGroupedReads } from '../../platform/database/grouped-reads.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { createJointWrites, writeOf, type JointWrites } from '../../platform/database/joint-writes.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { createLeases, type Leases, type StoredToken } from '../../platform/leases/leases.ts';
import { outboxEvent, toOutbox } from '../event-log/index.ts';
import type { ThreadOwner } from '../threads/index.ts';
import { isAbandoned, orphanOf, presentTurn, type OrphanedTurn, type TurnBeginning } from './stored-turn.ts';
import type { LeasedTurn, TurnRepository, TurnFencingToken } from './turn-repository-port.ts';
import { createPendingCallWriter, type PendingCallWriter } from './pending-call-repository.ts';
import { amongTurns, keyOfRecord, keyOfText, readFields, textOfKey, turnModel, type TurnRecord } from './turn-model.ts';

export type * from './turn-repository-port.ts';

/** The run that starts a turn. */
export const firstRun: TurnFencingToken = { resumptions: 0, decidedCount: 0 };

/** Event ids that a run reserves at a time: a crash skips at most this many. */
export const eventsReserved = 1_000;
const leaseMs = 8_000;
const waiting = { $in: ['awaiting_approval', 'awaiting_answers'] as TurnStatus[] };

export function createTurnRepositories(connection: Connection): {
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Renews the leases of these runs. Returns those that still hold theirs, and whether a user asked to stop them. */
  renewLeases: (runs: readonly LeasedTurn[]) => Promise<{ turnId: string; isStopAsked: boolean }[]>;
  /** Some of the orphaned turns of all organizations, except these. */
  orphanedTurns: (except?: readonly string[]) => Promise<OrphanedTurn[]>;
} {
  const model = turnModel(connection);
  const leases = createLeases<TurnRecord, TurnFencingToken>(model.collection, {
    token: tokenFields,
    until: 'lease_until',
    holder: 'holder',
  });
  const write = createJointWrites(connection);
  const pendingCalls = createPendingCallWriter(connection);
  const readToken = createGroupedReads(async (turnKeys) => {
    const projection = { organization_id: 1, status: 1, take_ups: 1, decided_count: 1 };
    const found = await readTogether(model, () => amongTurns(turnKeys().map(keyOfText)), { projection });
    return new Map(found.map((record) => [textOfKey(keyOfRecord(record)), record]));
  });
  return {
    turnsOf: (owner) => repositoryOf(owner, { model, leases, write, readToken, pendingCalls }),
    async renewLeases(runs) {
      if (runs.length === 0) return [];
      // Most runs have the same token: their turns were neither resumed nor decided.
      const alike = Map.groupBy(runs, ({ token }) => textOf(token)).values();
      const filters = [...alike].map((group) => ({
        ...amongTurns(group.map(({ organizationId, turnId: id }) => ({ organizationId, id }))),
        ...tokenFields.held(group[0]!.token),
      }));
      await Promise.all(filters.map((which) => leases.renewAll(which, leaseMs)));
      const found = await model.find({ $or: filters }, { is_stop_asked: 1 }).lean();
      return found.map(({ _id, is_stop_asked }) => ({
        turnId: _id.toHexString(),
        isStopAsked: is_stop_asked === true,
      }));
    },
    async orphanedTurns(except = []) {
      const running = await model
        .find({ status: 'running', is_unattended: { $ne: true } })
        .select(leaseFields)
        .limit(maxPolled)
        .lean<TurnRecord[]>();
      const ids = running.filter(isAbandoned).flatMap(({ _id }) => (except.includes(String(_id)) ? [] : [_id]));
      if (ids.length === 0) return [];
      const found = await model
        .find({ _id: { $in: ids.slice(0, maxOrphans) } })
        .select(whole)
        .lean<TurnRecord[]>();
      return found.map(orphanOf);
    },
  };
}

const whole = readFields();
const leaseFields = { holder: 1, is_overdue: isOver('lease_until') };

/** The maximum numbers of running turns that are checked, and of orphaned turns that one process resumes at once. */
const maxPolled = 10_000;
const maxOrphans = 20;

function unattendedFields(beginning: TurnBeginning | undefined): Pick<TurnRecord, 'is_unattended' | 'run_id'> {
  const unattended = beginning?.settings.unattended;
  if (unattended === undefined) return {};
  return { is_unattended: true, ...(unattended.runId !== undefined && { run_id: unattended.runId }) };
}

type TokenRecord = Pick<TurnRecord, '_id' | 'organization_id' | 'status' | 'take_ups' | 'decided_count'>;

/** The fencing token of a run: the numbers of resumptions and of decided batches of its turn. */
const tokenFields = {
  held: ({ resumptions, decidedCount }) => ({
    status: 'running' as const,
    take_ups: resumptions,
    decided_count: decidedCount,
  }),
  fields: ({ resumptions, decidedCount }) => ({ take_ups: resumptions, decided_count: decidedCount }),
  of(record) {
    const { take_ups = 0, decided_count } = record as TurnRecord;
    return { resumptions: take_ups, decidedCount: decided_count };
  },
  paths: ['take_ups', 'decided_count'],
  released: [],
} satisfies StoredToken<TurnFencingToken>;

const textOf = ({ resumptions, decidedCount }: TurnFencingToken): string => `${resumptions}.${decidedCount}`;

function takenOver(): DomainError {
  const message = 'This process stalled, and another one has resumed the turn. Follow its events.';
  return new DomainError('conflict', 'turn_taken_over', message);
}

function repositoryOf(
  documentOwner: ThreadOwner,
  {
    model,
    leases,
    write,
    readToken,
    pendingCalls,
  }: {
    model: ReturnType<typeof turnModel>;
    leases: Leases<TurnRecord, TurnFencingToken>;
    write: JointWrites;
    readToken: (key: string) => Promise<TokenRecord | undefined>;
    pendingCalls: PendingCallWriter;
  },
): TurnRepository {
  const { organizationId, documentId, userId } = documentOwner;
  const owner = {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
  const own = (turnId: string) => ({ ...owner, _id: { $in: objectIdsOf([turnId]) } });

  return {
    async start(threadId, { turnId, role, beginning, before = [] } = {}) {
      const thread_id = new mongoose.Types.ObjectId(threadId);
      let first = before;
      for (;;) {
        const _id = new mongoose.Types.ObjectId(turnId);
        const turn: Omit<TurnRecord, '_id' | 'decided_count'> = {
          ...owner,
          thread_id,
          status: 'running',
          event_count: 0,
          event_bound: eventsReserved,
          ...(beginning && { beginning: JSON.stringify(beginning) }),
          ...(role && { role }),
          ...unattendedFields(beginning),
          decided: [],
          created_at: new Date(),
        };
        try {
          const update = [{ $set: { ...literal(turn), ...leases.granted(firstRun, leaseMs) } }];
          await write([
            ...first,
            writeOf(model, {
              updateOne: { filter: { _id, organization_id: owner.organization_id }, update, upsert: true },
            }),
          ]);
          return _id.toHexString();
        } catch (error) {
          ignoreDuplicateKey(error);
          first = [];
        }
        // The unique index found another running turn; its process might have died.
        const { modifiedCount } = await model.updateMany(
          { ...owner, thread_id, status: 'running', ...leases.free },
          { $set: { status: 'failed' } },
        );
        if (modifiedCount === 0) return undefined;
      }
    },
    async get(turnId) {
      const [found] = await readTogether(model, own(turnId), { projection: whole });
      return found && presentTurn(found);
    },
    async pendingIn(threadId) {
      const found = await model
        .findOne({
          ...owner,
          thread_id: { $in: objectIdsOf([threadId]) },
          status: waiting,
          waiting_until: { $gt: new Date() },
        })
        .sort({ _id: -1 })
        .lean();
      return found ? presentTurn(found) : undefined;
    },
    async latestIn(threadId) {
      const found = await model
        .findOne({ ...owner, thread_id: { $in: objectIdsOf([threadId]) } })
        .select(readFields('decided'))
        .sort({ _id: -1 })
        .lean<Omit<TurnRecord, 'decided'>>();
      return found ? presentTurn({ ...found, decided: [] }) : undefined;
    },
    async decide(turn, { role, batch, approver, isForWorker = false }) {
      const token = { resumptions: isForWorker ? 0 : turn.resumptions, decidedCount: turn.decided.length + 1 };
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: waiting, decided_count: turn.decided.length },
        [
          {
            $set: {
              ...literal({
                status: 'running',
                is_stop_asked: false,
                role,
                ...(approver === undefined ? {} : { approver }),
                event_bound: turn.eventCount + eventsReserved,
              }),
              decided: { $concatArrays: ['$decided', [{ $literal: batch }]] },
              ...(isForWorker ? leases.offered(token) : leases.granted(token, leaseMs)),
            },
          },
        ],
        { updatePipeline: true },
      );
      if (modifiedCount === 1) {
        if (isTraced())
          traceEnded({ name: 'approval.wait', startTime: (await pendingCalls.waitingSince(turn)) ?? new Date() });
        await pendingCalls.remove(turn);
      }
      return modifiedCount === 1;
    },
    async resumeOrphan(turn) {
      // Another process might have resumed it after the list of orphaned turns was read.
      if (turn.status === 'running' && !turn.isOrphaned) return false;
      const read = { resumptions: turn.resumptions, decidedCount: turn.decided.length };
      const claim = await leases.claim(
        { ...own(turn.id), ...tokenFields.held(read), event_bound: turn.eventBound },
        {
          milliseconds: leaseMs,
          token: { ...read, resumptions: read.resumptions + 1 },
          set: literal({ event_bound: turn.eventBound + eventsReserved }),
        },
      );
      return claim !== undefined;
    },
    async requireHeld(turnId, run) {
      const found = await readToken(textOfKey({ organizationId, id: turnId }));
      const isHeld = found?.status === 'running' && textOf(tokenFields.of(found)) === textOf(run);
      if (!isHeld) throw takenOver();
    },
    async reserveEvents(turnId, run, bound) {
      if (!(await leases.write(own(turnId), run, { $max: { event_bound: bound } }))) throw takenOver();
    },
    async release(turnId, run) {
      await leases.release(own(turnId), run);
    },
    async requestStop(turnId) {
      await model.updateOne({ ...own(turnId), status: 'running' }, { $set: { is_stop_asked: true } });
    },
    async endPending(turn, { status, answer, eventCount }) {
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: waiting, decided_count: turn.decided.length },
        { $set: { status, answer: JSON.stringify(answer), event_count: eventCount } },
      );
      if (modifiedCount === 1) await pendingCalls.remove(turn);
      return modifiedCount === 1;
    },
    async finish(turnId, token, { status, answer, eventCount, waitingUntil, wait }, store = write) {
      if (waitingUntil)
        await pendingCalls.put(documentOwner, answer, { isUnattended: false, ...wait, until: waitingUntil });
      const { decidedCount } = token;
      const last = `decided.${decidedCount - 1}`;
      const json = JSON.stringify(answer);
      const outcome = {
        status,
        answer: json,
        event_count: eventCount,
        ...(waitingUntil === undefined ? {} : { waiting_until: waitingUntil }),
        ...(decidedCount === 0 ? {} : { [`${last}.answer`]: json, [`${last}.event_count`]: eventCount }),
      };
      const calls = answer.tool_calls.filter(({ needs_approval }) => needs_approval);
      const told =
        status === 'awaiting_approval' && calls.length > 0
          ? toOutbox(
              outboxEvent('approval.waiting', { calls: calls.map(({ id, name }) => ({ call_id: id, tool: name })) }),
            )
          : {};
      const update = { $set: outcome, ...told };
      const held = { ...own(turnId), ...tokenFields.held(token) };
      await store([writeOf(model, { updateOne: { filter: held, update } })]);
    },
  };
}
