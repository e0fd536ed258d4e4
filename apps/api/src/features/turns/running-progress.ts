import type { NewTurn, ResumedTurn } from '@docwright/agent-core';
import type { ExecutedRound, ToolCall, TurnEvent } from '@docwright/contract';

/** The texts and calls of a running turn so far, for requests while it runs. */
export type RunningProgress = ReturnType<typeof createRunningProgress>;

export function createRunningProgress(turn: NewTurn | ResumedTurn) {
  const pending = 'pending' in turn ? turn.pending : undefined;
  const done = [...(pending?.executedRounds ?? [])];
  let text = '';
  let round: ExecutedRound | undefined = pending && {
    round_index: done.length,
    text: pending.text,
    tool_calls: [...pending.batch.executed],
  };
  let proposed: readonly ToolCall[] = pending?.batch.calls ?? [];

  return {
    note(event: TurnEvent): void {
      switch (event.type) {
        case 'assistant_text_chunk':
          text += event.chunk;
          break;
        case 'tool_calls':
          proposed = event.tool_calls;
          round = { round_index: event.round_index, text, tool_calls: [] };
          text = '';
          break;
        case 'tool_result': {
          const { call_id: id, name, success, result, error } = event;
          const args = proposed.find((call) => call.id === id)?.arguments ?? '{}';
          round?.tool_calls.push({ id, name, arguments: args, success, ...(success ? { result } : { error }) });
          break;
        }
        case 'round_executed':
          if (round) done.push(round);
          round = undefined;
          break;
        default:
      }
    },
    /** The finished rounds, the current round with its executed calls, and the text so far. */
    soFar: (): { text: string; executed_rounds: ExecutedRound[] } => ({
      text,
      executed_rounds: round ? [...done, round] : [...done],
    }),
  };
}
