import type { TurnSettings } from '@docwright/agent-core';
import { DomainError, type Role, type TurnAnswer, type TurnStatus } from '@docwright/contract';
import { isKnownDead } from '../../platform/leases/process-identity.ts';
import type { ThreadOwner } from '../threads/index.ts';
import { isAwaiting, type DecidedBatch, type TurnRecord } from './turn-model.ts';

/** The input of a turn that is not in its thread. */
export interface TurnBeginning {
  settings: TurnSettings;
  /** Whether the thread and its messages were created for this turn. */
  isNewThread: boolean;
}

export type DecidedTurnBatch = Omit<DecidedBatch, 'answer'> & { answer: TurnAnswer | undefined };

/** The stored state of a turn, which can run in any process. */
export interface StoredTurn {
  id: string;
  organizationId: string;
  threadId: string;
  status: TurnStatus | 'running';
  answer: TurnAnswer | undefined;
  eventCount: number;
  /** No event was emitted under a higher id. */
  eventBound: number;
  /** Marked running, but its process died: any process can resume it. */
  isOrphaned: boolean;
  beginning: TurnBeginning | undefined;
  role: Role | undefined;
  resumptions: number;
  decided: DecidedTurnBatch[];
  waitingUntil: Date | undefined;
  approver: string | undefined;
  createdAt: Date;
}

/** A turn whose process died this often is not resumed again: it might be the cause. */
const maxResumptions = 5;

/** Whether the process of a turn died: its lease has expired, or the process is known to be dead. */
export function isAbandoned({ holder, is_overdue }: Pick<TurnRecord, 'holder' | 'is_overdue'>): boolean {
  return is_overdue !== false || (holder !== undefined && isKnownDead(holder));
}

export function ownerOfTurn({ organization_id, document_id, user_id }: TurnRecord): ThreadOwner {
  return {
    organizationId: organization_id.toHexString(),
    documentId: document_id.toHexString(),
    userId: user_id.toHexString(),
  };
}

/** A turn whose process died. */
export interface OrphanedTurn {
  id: string;
  /** Throws if the record is damaged. */
  read: () => { owner: ThreadOwner; turn: StoredTurn };
}

export function orphanOf(record: TurnRecord): OrphanedTurn {
  return { id: String(record._id), read: () => ({ owner: ownerOfTurn(record), turn: presentTurn(record) }) };
}

export function presentTurn(record: TurnRecord): StoredTurn {
  const { beginning, take_ups = 0 } = record;
  const isInterrupted = record.status === 'running' && isAbandoned(record);
  const isOrphaned = isInterrupted && beginning !== undefined && take_ups < maxResumptions;
  return {
    id: record._id.toHexString(),
    organizationId: record.organization_id.toHexString(),
    threadId: record.thread_id.toHexString(),
    status: isInterrupted && !isOrphaned ? 'failed' : record.status,
    answer: readAnswer(record.answer),
    eventCount: record.event_count,
    eventBound: Math.max(record.event_bound ?? 0, record.event_count),
    isOrphaned,
    beginning: beginning === undefined ? undefined : (JSON.parse(beginning) as TurnBeginning),
    role: record.role,
    resumptions: take_ups,
    decided: record.decided.map((batch) => ({ ...batch, answer: readAnswer(batch.answer) })),
    waitingUntil: record.waiting_until,
    approver: record.approver,
    createdAt: record.created_at,
  };
}

function readAnswer(json: string | undefined): TurnAnswer | undefined {
  if (json === undefined) return undefined;
  const answer: TurnAnswer = JSON.parse(json);
  return answer;
}

/** Throws `turn_not_found` for undefined. */
export function turnOrThrow(turn: StoredTurn | undefined): StoredTurn {
  if (turn) return turn;
  throw new DomainError('not_found', 'turn_not_found', 'There is no such turn.');
}

/** Whether the turn is pending and can still be decided. */
export function isPending({ status, waitingUntil }: StoredTurn): boolean {
  return isAwaiting(status) && waitingUntil !== undefined && waitingUntil > new Date();
}
