import type { ToolCall, WorkingState } from '@docwright/contract';
import { noUsage } from '../llm/token-usage.ts';
import type { PendingTurn, TurnOwner } from '../turns/pending-turn.ts';

/**
 * The waiting turn of a caller that holds it itself, made of the calls that it gives back: resumed with the decisions on
 * them, `runTurn` runs them as it runs any other, checked anew. With no rounds left in the profile it ends there and
 * asks no model. Each call gets the id that it came with.
 */
export function turnHeldByCaller(turn: {
  turnId: string;
  owner: TurnOwner;
  calls: readonly ToolCall[];
  workingState: WorkingState;
}): PendingTurn {
  const { turnId, owner, calls, workingState } = turn;
  return {
    turnId,
    threadId: turnId,
    owner,
    settings: { model: '', mentions: [], autoApprove: false, autoApprovedTools: [] },
    status: 'awaiting_approval',
    roundsUsed: 0,
    transcript: [{ role: 'assistant', content: '', toolCalls: [...calls] }],
    historyLength: 1,
    workingState,
    executedRounds: [],
    batch: {
      calls: calls.map((call) => ({ ...call, effect: 'read_write', summary: call.name, needs_approval: true })),
      refusals: {},
      baselines: {},
      executed: [],
    },
    text: '',
    usage: noUsage,
    eventCount: 0,
  };
}
