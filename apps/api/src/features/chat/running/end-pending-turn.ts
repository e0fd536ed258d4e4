import type { CallRecord, PendingBatch, TurnStore } from '@docwright/agent-core';
import type { ExecutedCall, ProposedCall, TurnAnswer } from '@docwright/contract';
import type { RecordCallsOf } from '../../audit/index.ts';
import type { ThreadOwner, ThreadRepository } from '../../threads/index.ts';
import {
  blankAnswer,
  rejected,
  TurnEventLog,
  type TurnEventRepository,
  type StoredTurn,
  type TurnRepository,
} from '../../turns/index.ts';

interface EndPendingTurnDependencies {
  turnStore: TurnStore;
  events: TurnEventRepository;
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  recordCallsOf: RecordCallsOf;
}

/** Ends a pending turn and rejects its calls. Returns false if it was decided meanwhile. */
export type EndPendingTurn = (
  owner: ThreadOwner,
  turn: StoredTurn,
  status: 'superseded' | 'stopped',
) => Promise<boolean>;

export function createEndPendingTurn({
  turnStore,
  events,
  threadsOf,
  turnsOf,
  recordCallsOf,
}: EndPendingTurnDependencies): EndPendingTurn {
  return async (owner, turn, status) => {
    const lookup = await turnStore.find(turn.id, owner);
    const batch = lookup.state === 'waiting' ? lookup.turn.batch : emptyBatch;
    const rejectedCalls = batch.calls.slice(batch.executed.length).map(rejectedCall);
    const answer = endedAnswer(turn, status, [...batch.executed, ...rejectedCalls]);
    const eventCount = turn.eventCount + rejectedCalls.length + 1;
    if (!(await turnsOf(owner).endPending(turn, { status, answer, eventCount }))) return false;
    await turnStore.take(turn.id, owner);
    const undecided = rejectedCalls.filter(({ id }) => batch.refusals[id] === undefined);
    const via = turn.beginning?.settings.given?.via;
    const place = { turnId: turn.id, threadId: turn.threadId, ...(via && { via }) };
    await recordCallsOf(owner, place)(undecided.map(rejectionRecord));
    await threadsOf(owner).append(
      turn.threadId,
      rejectedCalls.map(({ id }) => ({ role: 'tool', tool_call_id: id, success: false, content: rejected })),
    );
    const log = new TurnEventLog(turn.eventCount);
    const round_index = answer.executed_rounds.length - 1;
    for (const { id, name } of rejectedCalls) {
      log.append({ type: 'tool_result', round_index, call_id: id, name, success: false, error: rejected });
    }
    log.append({ type: 'done', result: answer });
    log.close();
    await log.flush((batches) => events.append(turn, batches));
    return true;
  };
}

const emptyBatch: Pick<PendingBatch, 'calls' | 'executed' | 'refusals'> = { calls: [], executed: [], refusals: {} };

function rejectionRecord({ id, name, arguments: args }: ExecutedCall): CallRecord {
  return { kind: 'decided', callId: id, tool: name, arguments: args, decision: 'rejected' };
}

function rejectedCall({ id, name, arguments: args }: ProposedCall): ExecutedCall {
  return { id, name, arguments: args, success: false, error: rejected };
}

function endedAnswer(turn: StoredTurn, status: 'superseded' | 'stopped', calls: ExecutedCall[]): TurnAnswer {
  const answer = turn.answer ?? blankAnswer({ turnId: turn.id, threadId: turn.threadId });
  const { text, thinking, executed_rounds } = answer;
  const round = {
    round_index: executed_rounds.length,
    text,
    ...(thinking === undefined ? {} : { thinking }),
    tool_calls: calls,
  };
  return {
    ...answer,
    status,
    tool_calls: [],
    executed_rounds: [...executed_rounds, ...(calls.length > 0 ? [round] : [])],
  };
}
