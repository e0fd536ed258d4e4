import type { LlmRequest, ModelToolCall } from '@docwright/agent-core';
import { completionRequest } from '../../../packages/agent-core/src/llm/openai/completion-request.ts';
import type { Played } from './play-turn.ts';
import type { RecordedCall, RecordedStep } from './recorded.ts';

/** One answer of a recorded model. */
export interface Answer {
  text: string;
  calls: RecordedCall[];
}

/** The answers to each message of the user. */
export function turnsOf(steps: readonly RecordedStep[]): { message: string; answers: Answer[] }[] {
  const turns: { message: string; answers: Answer[] }[] = [];
  for (const { request, answer } of steps) {
    const last = request.messages.at(-1);
    if (last?.role === 'user') turns.push({ message: last.content ?? '', answers: [] });
    turns.at(-1)?.answers.push({ text: answer.text ?? '', calls: answer.tool_calls ?? [] });
  }
  return turns;
}

/** A step of a script that records the request in the form in which it is sent. */
export function recordingStep(
  played: Played,
  thread: string[],
  answer: () => { text: string; calls: RecordedCall[] },
): (request: LlmRequest) => { text: string; calls: ModelToolCall[] } {
  return (request) => {
    const body = completionRequest(request, 'http://model.test/v1');
    played.requests.push(body);
    thread.push(body);
    const { text, calls } = answer();
    const made = calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) }));
    played.output += text.length + made.reduce((sum, call) => sum + call.arguments.length, 0);
    return { text, calls: made };
  };
}

/** The calls with the current ids in place of the recorded ones. */
export function idsOf(calls: readonly RecordedCall[], ids: ReadonlyMap<string, string>): RecordedCall[] {
  let text = JSON.stringify(calls);
  for (const [before, now] of ids) text = text.replaceAll(before, now);
  return JSON.parse(text) as RecordedCall[];
}
