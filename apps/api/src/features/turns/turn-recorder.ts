import type { TurnEvent, WorkingState } from '@docwright/contract';
import type { NewThreadMessage, StoringOfMessages, ThreadRepository } from '../threads/index.ts';

/** Stores the texts and calls of a turn in its thread while the turn runs. */
export interface TurnRecorder {
  /** Returns a promise if a message must be stored before the event is emitted. */
  record(event: TurnEvent, storing?: StoringOfMessages): Promise<void> | undefined;
  /** Stores the last text together with the working state at the end of the run. */
  finish(workingState?: WorkingState, storing?: StoringOfMessages): Promise<void>;
}

export function createTurnRecorder(threads: Pick<ThreadRepository, 'append'>, threadId: string): TurnRecorder {
  let text = '';
  let thinking = '';
  let thinkingMs: number | undefined;
  let checked: Pick<NewThreadMessage, 'claims' | 'coverage'> = {};

  function takeMessage() {
    const duration = thinkingMs === undefined ? {} : { thinking_ms: thinkingMs };
    const message = { content: text, ...(thinking === '' ? {} : { thinking, ...duration }) };
    text = '';
    thinking = '';
    thinkingMs = undefined;
    return message;
  }

  return {
    record(event, storing) {
      switch (event.type) {
        case 'thinking_done':
          thinking = event.full_text;
          thinkingMs = event.duration_ms;
          return undefined;
        case 'assistant_text_chunk':
          text += event.chunk;
          return undefined;
        case 'assistant_text_done':
          text = event.full_text;
          return undefined;
        case 'tool_calls': {
          const tool_calls = event.tool_calls.map((call) => ({
            id: call.id,
            name: call.name,
            arguments: call.arguments,
            ...(call.provenance && { provenance: call.provenance }),
            ...(call.passages && { passages: call.passages }),
            ...(call.plan && { plan: call.plan }),
            ...(call.chosen_by_document && { chosen_by_document: call.chosen_by_document }),
          }));
          return threads.append(threadId, [{ role: 'assistant', ...takeMessage(), tool_calls }], {}, storing);
        }
        case 'claims':
          checked = { claims: event.claims, ...(event.coverage && { coverage: event.coverage }) };
          return undefined;
        case 'tool_result':
          return threads.append(
            threadId,
            [{ role: 'tool', tool_call_id: event.call_id, success: event.success, content: resultText(event) }],
            {},
            storing,
          );
        default:
          return undefined;
      }
    },
    async finish(workingState, storing) {
      const last: NewThreadMessage[] =
        text === '' && thinking === '' ? [] : [{ role: 'assistant', ...takeMessage(), ...checked }];
      if (workingState) await threads.append(threadId, last, { working_state: workingState }, storing);
      else if (last.length > 0) await threads.append(threadId, last, {}, storing);
    },
  };
}

/** The result for the model: JSON, or the sentence of a rejection. */
function resultText({ success, result, error = '' }: Extract<TurnEvent, { type: 'tool_result' }>): string {
  if (success) return JSON.stringify(result) ?? 'null';
  return error.startsWith(rejected) ? error : JSON.stringify({ error });
}

/** The result for the model of a call that the user rejected. */
export const rejected = 'User rejected this action.';
