import { DomainError, type TurnStatus } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { isOver, literal, untilIn } from '../../platform/database/database-clock.ts';
import { createGroupedReads } from '../../platform/database/grouped-reads.ts';
import { createGroupedWrites, type GroupedWrites } from '../../platform/database/grouped-writes.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { thisProcess } from '../../platform/leases/process-identity.ts';
import type { ThreadOwner } from '../threads/thread-repository.ts';
import { isAbandoned, ownerOfTurn, presentTurn, type StoredTurn, type TurnBeginning } from './stored-turn.ts';
import type { TurnRepository, TurnFencingToken } from './stored-turns.ts';
import { createWaitingCallWriter, type WaitingCallWriter } from './waiting-call-repository.ts';
import { readFields, turnModel, type TurnRecord } from './turn-model.ts';

export type * from './stored-turns.ts';

/** The run that begins a turn. */
export const firstRun: TurnFencingToken = { resumptions: 0, decidedCount: 0 };

/** Event ids that a run may use before it asks for more: what a crash leaves out of the count at most. */
export const eventsReserved = 1_000;
const leaseMs = 8_000;
const waiting = { $in: ['awaiting_approval', 'awaiting_answers'] as TurnStatus[] };

export function createTurnRepositories(connection: Connection): {
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Tells that these turns still run in this process; one that another has taken up stays the other's. */
  renewLeases: (turnIds: string[]) => Promise<void>;
  /** Those of them that are still this process's, and whether somebody has asked for their end. */
  held: (turnIds: string[]) => Promise<{ turnId: string; isStopAsked: boolean }[]>;
  /** Some of the turns that dead processes have left, whosever they are. */
  left: () => Promise<{ owner: ThreadOwner; turn: StoredTurn }[]>;
} {
  const model = turnModel(connection);
  const write = createGroupedWrites(model);
  const waitingCalls = createWaitingCallWriter(connection);
  const readMark = createGroupedReads(async (turnIds) => {
    const fields = { status: 1, take_ups: 1, decided_count: 1 };
    const found = await model.find({ _id: { $in: objectIdsOf([...turnIds]) } }, fields).lean<StoredMark[]>();
    return new Map(found.map((record) => [record._id.toHexString(), record]));
  });
  return {
    turnsOf: (owner) => repositoryOf(owner, model, write, readMark, waitingCalls),
    async renewLeases(turnIds) {
      await model.updateMany(ofThisProcess(turnIds), [{ $set: { lease_until: untilIn(leaseMs) } }], {
        updatePipeline: true,
      });
    },
    async held(turnIds) {
      const found = await model.find(ofThisProcess(turnIds), { is_stop_asked: 1 }).lean();
      return found.map(({ _id, is_stop_asked }) => ({
        turnId: _id.toHexString(),
        isStopAsked: is_stop_asked === true,
      }));
    },
    async left() {
      const running = await model
        .find({ status: 'running', is_unattended: { $ne: true } })
        .select(lookedAt)
        .limit(maxPolled)
        .lean<TurnRecord[]>();
      const ids = running.filter(isAbandoned).map(({ _id }) => _id);
      if (ids.length === 0) return [];
      const found = await model
        .find({ _id: { $in: ids.slice(0, maxOrphans) } })
        .select(whole)
        .lean<TurnRecord[]>();
      return found.map((record) => ({ owner: ownerOfTurn(record), turn: presentTurn(record) }));
    },
  };
}

const ofThisProcess = (turnIds: string[]) => ({
  _id: { $in: objectIdsOf(turnIds) },
  status: 'running' as const,
  'holder.instance': thisProcess.instance,
});
const whole = readFields();
const lookedAt = { holder: 1, is_overdue: isOver('lease_until') };

/** Turns that run at the same time in all processes, and those of them that one process takes up at once. */
const maxPolled = 10_000;
const maxOrphans = 20;

function unattendedFields(beginning: TurnBeginning | undefined): Pick<TurnRecord, 'is_unattended' | 'run_id'> {
  const unattended = beginning?.settings.unattended;
  if (unattended === undefined) return {};
  return { is_unattended: true, ...(unattended.runId !== undefined && { run_id: unattended.runId }) };
}

type StoredMark = Pick<TurnRecord, '_id' | 'status' | 'take_ups' | 'decided_count'>;

/** The turn while it is this run's. */
const running = ({ resumptions, decidedCount }: TurnFencingToken) => ({
  status: 'running' as const,
  take_ups: resumptions,
  decided_count: decidedCount,
});

function takenOver(): DomainError {
  const message = 'This process stood still for so long that another one goes on with the turn. Follow its events.';
  return new DomainError('conflict', 'turn_taken_over', message);
}

function repositoryOf(
  documentOwner: ThreadOwner,
  model: ReturnType<typeof turnModel>,
  write: GroupedWrites<TurnRecord>,
  readMark: (turnId: string) => Promise<StoredMark | undefined>,
  waitingCalls: WaitingCallWriter,
): TurnRepository {
  const { organizationId, documentId, userId } = documentOwner;
  const owner = {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
  const own = (turnId: string) => ({ ...owner, _id: { $in: objectIdsOf([turnId]) } });
  /** In a pipeline. */
  const lease = { ...literal({ holder: thisProcess }), lease_until: untilIn(leaseMs) };

  return {
    async begin(threadId, { turnId, role, beginning } = {}) {
      const thread_id = new mongoose.Types.ObjectId(threadId);
      for (;;) {
        const _id = new mongoose.Types.ObjectId(turnId);
        const turn: Omit<TurnRecord, '_id'> = {
          ...owner,
          thread_id,
          status: 'running',
          event_count: 0,
          event_bound: eventsReserved,
          ...(beginning && { beginning: JSON.stringify(beginning) }),
          ...(role && { role }),
          ...unattendedFields(beginning),
          take_ups: 0,
          decided: [],
          decided_count: 0,
          created_at: new Date(),
        };
        try {
          const update = [{ $set: { ...literal(turn), ...lease } }];
          await write([{ updateOne: { filter: { _id }, update, upsert: true } }]);
          return _id.toHexString();
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // The index refused it: another turn runs, or ran in a process that died and renews its lease no more.
        const { modifiedCount } = await model.updateMany(
          { ...owner, thread_id, status: 'running', $expr: isOver('lease_until') },
          { $set: { status: 'failed' } },
        );
        if (modifiedCount === 0) return undefined;
      }
    },
    async get(turnId) {
      const found = await model.findOne(own(turnId)).select(whole).lean<TurnRecord>();
      return found ? presentTurn(found) : undefined;
    },
    async waitingIn(threadId) {
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
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: waiting, decided_count: turn.decided.length },
        [
          {
            $set: {
              ...literal({
                status: 'running',
                is_stop_asked: false,
                role,
                take_ups: isForWorker ? 0 : turn.resumptions,
                ...(approver === undefined ? {} : { approver }),
                event_bound: turn.eventCount + eventsReserved,
                decided_count: turn.decided.length + 1,
              }),
              decided: { $concatArrays: ['$decided', [{ $literal: batch }]] },
              ...(isForWorker ? literal({ holder: null, lease_until: new Date(0) }) : lease),
            },
          },
        ],
        { updatePipeline: true },
      );
      if (modifiedCount === 1) await waitingCalls.remove(turn.id);
      return modifiedCount === 1;
    },
    async resumeOrphan(turn) {
      // Somebody else may have taken it up between the list of left turns and the look at this one.
      if (turn.status === 'running' && !turn.isLeft) return false;
      const { modifiedCount } = await model.updateOne(
        {
          ...own(turn.id),
          status: 'running',
          decided_count: turn.decided.length,
          take_ups: turn.resumptions,
          event_bound: turn.eventBound,
          ...(turn.leaseUntil && { lease_until: turn.leaseUntil }),
        },
        [
          {
            $set: {
              ...literal({ event_bound: turn.eventBound + eventsReserved, take_ups: turn.resumptions + 1 }),
              ...lease,
            },
          },
        ],
        { updatePipeline: true },
      );
      return modifiedCount === 1;
    },
    async requireHeld(turnId, { resumptions, decidedCount }) {
      const found = await readMark(turnId);
      const isHeld = found?.status === 'running' && (found.take_ups ?? 0) === resumptions;
      if (!isHeld || found.decided_count !== decidedCount) throw takenOver();
    },
    async reserveEvents(turnId, run, bound) {
      const update = { $max: { event_bound: bound } };
      const { matchedCount } = await model.updateOne({ ...own(turnId), ...running(run) }, update);
      if (matchedCount === 0) throw takenOver();
    },
    async release(turnId, run) {
      await model.updateOne({ ...own(turnId), ...running(run) }, { $set: { lease_until: new Date(0) } });
    },
    async askToStop(turnId) {
      await model.updateOne({ ...own(turnId), status: 'running' }, { $set: { is_stop_asked: true } });
    },
    async endWaiting(turn, { status, answer, eventCount }) {
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: waiting, decided_count: turn.decided.length },
        { $set: { status, answer: JSON.stringify(answer), event_count: eventCount } },
      );
      if (modifiedCount === 1) await waitingCalls.remove(turn.id);
      return modifiedCount === 1;
    },
    async finish(turnId, mark, { status, answer, eventCount, waitingUntil, wait }) {
      if (waitingUntil)
        await waitingCalls.put(documentOwner, answer, { isUnattended: false, ...wait, until: waitingUntil });
      const { decidedCount } = mark;
      const last = `decided.${decidedCount - 1}`;
      const json = JSON.stringify(answer);
      const outcome = {
        status,
        answer: json,
        event_count: eventCount,
        ...(waitingUntil === undefined ? {} : { waiting_until: waitingUntil }),
        ...(decidedCount === 0 ? {} : { [`${last}.answer`]: json, [`${last}.event_count`]: eventCount }),
      };
      await write([{ updateOne: { filter: { ...own(turnId), ...running(mark) }, update: { $set: outcome } } }]);
    },
  };
}
