import type { TurnAnswer, TurnStatus } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../db/connection.ts';
import { createGroupedWrites, type GroupedWrites } from '../db/grouped-writes.ts';
import { objectIdsOf } from '../db/object-id.ts';
import type { ThreadOwner } from '../threads/thread-repository.ts';
import { turnModel, type DecidedBatch, type TurnRecord } from './turn-model.ts';

export type DecidedTurnBatch = Omit<DecidedBatch, 'answer'> & { answer: TurnAnswer | undefined };

/** What is known of a turn wherever it runs. */
export interface StoredTurn {
  id: string;
  threadId: string;
  status: TurnStatus | 'running';
  answer: TurnAnswer | undefined;
  eventCount: number;
  decided: DecidedTurnBatch[];
  waitingUntil: Date | undefined;
}

export interface TurnOutcomeToStore {
  status: TurnStatus;
  answer: TurnAnswer;
  eventCount: number;
  waitingUntil?: Date;
}

/** The turns of one person on one document of one organization. A malformed or foreign id finds nothing. */
export interface TurnRepository {
  /** The new turn's id, made here unless it is given; undefined where another turn runs in the thread. */
  begin(threadId: string, turnId?: string): Promise<string | undefined>;
  get(turnId: string): Promise<StoredTurn | undefined>;
  /** The turn that waits in the thread and can still be decided. */
  waitingIn(threadId: string): Promise<StoredTurn | undefined>;
  /** The newest turn of the thread, without its decided batches. */
  latestIn(threadId: string): Promise<StoredTurn | undefined>;
  /** Atomic: of all who decide the batch that waits, one may run it. */
  decide(turn: StoredTurn, batch: Pick<DecidedBatch, 'call_ids' | 'decisions'>): Promise<boolean>;
  /** Atomic: of all who find a decided turn interrupted, one may run it again. */
  resume(turn: StoredTurn): Promise<boolean>;
  /** Gives up a running turn that this process cannot go on with; the same decisions take it up again. */
  release(turnId: string): Promise<void>;
  /** Asks for the end of a turn that runs in another process. */
  askToStop(turnId: string): Promise<void>;
  /** Atomic: ends a turn that waits; false where it waits no longer. */
  endWaiting(turn: StoredTurn, outcome: TurnOutcomeToStore): Promise<boolean>;
  /** Stores what a run came to, for the turn and for the last of the batches that were decided when it began. */
  finish(turnId: string, decidedCount: number, outcome: TurnOutcomeToStore): Promise<void>;
}

const leaseMs = 8_000;
const waiting = { $in: ['awaiting_approval', 'awaiting_answers'] as TurnStatus[] };

export function createTurnRepositories(connection: Connection): {
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Tells that these turns still run in this process. */
  renewLeases: (turnIds: string[]) => Promise<void>;
  /** Those of them that somebody has asked to stop. */
  askedToStop: (turnIds: string[]) => Promise<string[]>;
} {
  const model = turnModel(connection);
  const write = createGroupedWrites(model);
  return {
    turnsOf: (owner) => repositoryOf(owner, model, write),
    async renewLeases(turnIds) {
      await model.updateMany(
        { _id: { $in: objectIdsOf(turnIds) }, status: 'running' },
        { $set: { lease_until: new Date(Date.now() + leaseMs) } },
      );
    },
    async askedToStop(turnIds) {
      const found = await model.find({ _id: { $in: objectIdsOf(turnIds) }, is_stop_asked: true }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id.toHexString());
    },
  };
}

function repositoryOf(
  { organizationId, documentId, userId }: ThreadOwner,
  model: ReturnType<typeof turnModel>,
  write: GroupedWrites<TurnRecord>,
): TurnRepository {
  const owner = {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
  const own = (turnId: string) => ({ ...owner, _id: { $in: objectIdsOf([turnId]) } });
  const lease = () => ({ lease_until: new Date(Date.now() + leaseMs) });

  return {
    async begin(threadId, turnId) {
      const thread_id = new mongoose.Types.ObjectId(threadId);
      for (;;) {
        const turn: TurnRecord = {
          ...owner,
          ...lease(),
          _id: new mongoose.Types.ObjectId(turnId),
          thread_id,
          status: 'running',
          event_count: 0,
          decided: [],
          decided_count: 0,
          created_at: new Date(),
        };
        try {
          await write([{ insertOne: { document: turn } }]);
          return turn._id.toHexString();
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // The index refused it: another turn runs, or ran in a process that died and renews its lease no more.
        const { modifiedCount } = await model.updateMany(
          { ...owner, thread_id, status: 'running', lease_until: { $lt: new Date() } },
          { $set: { status: 'failed' } },
        );
        if (modifiedCount === 0) return undefined;
      }
    },
    async get(turnId) {
      const found = await model.findOne(own(turnId)).lean();
      return found ? present(found) : undefined;
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
      return found ? present(found) : undefined;
    },
    async latestIn(threadId) {
      const found = await model
        .findOne({ ...owner, thread_id: { $in: objectIdsOf([threadId]) } }, { decided: 0 })
        .sort({ _id: -1 })
        .lean();
      return found ? present({ ...found, decided: [] }) : undefined;
    },
    async decide(turn, batch) {
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: waiting, decided_count: turn.decided.length },
        {
          $set: { status: 'running', is_stop_asked: false, ...lease() },
          $push: { decided: batch },
          $inc: { decided_count: 1 },
        },
      );
      return modifiedCount === 1;
    },
    async resume(turn) {
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: 'running', decided_count: turn.decided.length, lease_until: { $lt: new Date() } },
        { $set: lease() },
      );
      return modifiedCount === 1;
    },
    async release(turnId) {
      await model.updateOne({ ...own(turnId), status: 'running' }, { $set: { lease_until: new Date(0) } });
    },
    async askToStop(turnId) {
      await model.updateOne({ ...own(turnId), status: 'running' }, { $set: { is_stop_asked: true } });
    },
    async endWaiting(turn, { status, answer, eventCount }) {
      const { modifiedCount } = await model.updateOne(
        { ...own(turn.id), status: waiting, decided_count: turn.decided.length },
        { $set: { status, answer: JSON.stringify(answer), event_count: eventCount } },
      );
      return modifiedCount === 1;
    },
    async finish(turnId, decidedCount, { status, answer, eventCount, waitingUntil }) {
      const last = `decided.${decidedCount - 1}`;
      const json = JSON.stringify(answer);
      const outcome = {
        status,
        answer: json,
        event_count: eventCount,
        ...(waitingUntil === undefined ? {} : { waiting_until: waitingUntil }),
        ...(decidedCount === 0 ? {} : { [`${last}.answer`]: json, [`${last}.event_count`]: eventCount }),
      };
      await write([{ updateOne: { filter: own(turnId), update: { $set: outcome } } }]);
    },
  };
}

function present(record: TurnRecord): StoredTurn {
  const interrupted = record.status === 'running' && (record.lease_until ?? new Date(0)) < new Date();
  return {
    id: record._id.toHexString(),
    threadId: record.thread_id.toHexString(),
    status: interrupted ? 'failed' : record.status,
    answer: readAnswer(record.answer),
    eventCount: record.event_count,
    decided: record.decided.map((batch) => ({ ...batch, answer: readAnswer(batch.answer) })),
    waitingUntil: record.waiting_until,
  };
}

function readAnswer(json: string | undefined): TurnAnswer | undefined {
  if (json === undefined) return undefined;
  const answer: TurnAnswer = JSON.parse(json);
  return answer;
}
