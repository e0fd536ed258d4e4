import type { AgentLog } from '@docwright/contract';
import { withOutcome } from '../../../agent-ui/call-outcome.ts';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';

/** A piece of thinking, text or a call. */
export type LogStep = { kind: 'thinking' | 'text'; text: string } | { kind: 'call'; card: ToolCard };

/** Turns the log of a run into steps, in order. */
export function logSteps(rounds: AgentLog): LogStep[] {
  return rounds.flatMap(({ thinking, text, tool_calls }): LogStep[] => [
    ...(thinking === undefined || thinking === '' ? [] : [{ kind: 'thinking' as const, text: thinking }]),
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
    ...tool_calls.map(({ id, name, arguments: args, success, result, error }) => ({
      kind: 'call' as const,
      card: withOutcome({ id, name, arguments: args, state: 'running' }, success, result, error),
    })),
  ]);
}
