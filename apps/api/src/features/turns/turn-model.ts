import mongoose from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import type { Role, TurnStatus } from '@docwright/contract';
import { indexOutbox, type OutboxEvent } from '../event-log/index.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import { isOver } from '../../platform/database/database-clock.ts';
import type { ProcessIdentity } from '../../platform/leases/process-identity.ts';

/** A TurnAnswer as JSON: results have arbitrary field names, which a database might interpret. */
type StoredAnswer = string;

/** A decided batch: its calls, the decisions, and the result once it has run. */
export interface DecidedBatch {
  call_ids: string[];
  /** The decisions in a canonical form, so that a repeated request is recognized. */
  decisions: string;
  answer?: StoredAnswer;
  /** The number of events at that answer. */
  event_count?: number;
}

/** Whether a turn with this status waits for a decision or an answer. */
export function isAwaiting(status: TurnRecord['status']): boolean {
  return status === 'awaiting_approval' || status === 'awaiting_answers';
}

export interface TurnRecord extends StoredRecord<typeof turnSchema> {
  /** Whether the lease had expired when the turn was read; not stored. */
  is_overdue?: boolean;
}

const turnSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    user_id: field.objectId,
    thread_id: field.objectId,
    status: field.oneOf<TurnStatus | 'running'>(),
    /** The answer at the last pause or the end. */
    answer: field.text.optional(),
    event_count: field.number.default(0),
    /** No event of the turn was emitted under a higher id; a process that resumes the turn counts on from here. */
    event_bound: field.number.optional(),
    /** A TurnBeginning as JSON: all that a process needs to restart the turn without a checkpoint. */
    beginning: field.text.optional(),
    /** The user's role with the credentials of their last request: a process that resumes the turn grants no more. */
    role: field.oneOf<Role>().optional(),
    /** How often it was resumed after its process died. */
    take_ups: field.number.optional(),
    /** The process that runs it or ran it last. */
    holder: field.mixed<ProcessIdentity>().optional(),
    decided: field.mixed<DecidedBatch[]>().default(() => []),
    /** How many batches were decided; a decision is taken only on the batch it was made for. */
    decided_count: field.number.default(0),
    /** A pending turn can be decided until this time. */
    waiting_until: field.date.optional(),
    /** The end of the lease by the database's clock. A running turn with an expired lease was interrupted. */
    lease_until: field.date.optional(),
    /** Set if a user requested the stop in another process. */
    is_stop_asked: field.flag.optional(),
    /** Work of the queue: only the process that holds the lease on the document's run resumes it. */
    is_unattended: field.flag.optional(),
    run_id: field.text.optional(),
    /** The last approver, if not the user of the turn: the turn has no more rights than the approver. */
    approver: field.text.optional(),
    /** Events that are still to be published. */
    event_outbox: field.mixed<OutboxEvent>().list().optional(),
    created_at: field.date,
  },
  { collection: 'agent_turns' },
);
turnSchema.index({ organization_id: 1, thread_id: 1, status: 1 });
indexOutbox(turnSchema);
/** One turn at a time runs in a thread. */
turnSchema.index(
  { organization_id: 1, thread_id: 1 },
  { unique: true, partialFilterExpression: { status: 'running' }, name: 'one_running_in_thread' },
);
/** Running turns, for the search for orphaned turns. */
turnSchema.index({ status: 1 }, { partialFilterExpression: { status: 'running' }, name: 'running' });

/** Reads a turn without those fields, but with whether its lease has expired by the database's clock. */
export function readFields(...without: (keyof TurnRecord)[]): Record<string, number | object> {
  const paths = Object.keys(turnSchema.paths).filter((path) => !without.some((one) => one === path));
  return { ...Object.fromEntries(paths.map((path) => [path, 1])), is_overdue: isOver('lease_until') };
}

export const turnModel = modelOf('Turn', turnSchema);

/** Names a turn. */
export interface TurnKey {
  organizationId: string;
  id: string;
}

/** What belongs to a turn, in collections that name it. */
export const ofTurn = ({ organizationId, id }: TurnKey) => ({
  organization_id: new mongoose.Types.ObjectId(organizationId),
  turn_id: new mongoose.Types.ObjectId(id),
});

export const textOfKey = ({ organizationId, id }: TurnKey): string => `${organizationId}/${id}`;

/** The key of a stored turn. */
export const keyOfRecord = (turn: Pick<TurnRecord, 'organization_id' | '_id'>): TurnKey => ({
  organizationId: turn.organization_id.toHexString(),
  id: turn._id.toHexString(),
});

export function keyOfText(text: string): TurnKey {
  const [organizationId = '', id = ''] = text.split('/');
  return { organizationId, id };
}

/** Finds these turns. A malformed id finds nothing. */
export function amongTurns(keys: readonly TurnKey[]) {
  const organizationIds = [...new Set(keys.map(({ organizationId }) => organizationId))];
  return {
    organization_id: { $in: objectIdsOf(organizationIds) },
    _id: { $in: objectIdsOf(keys.map(({ id }) => id)) },
  };
}
