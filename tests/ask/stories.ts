import fs from 'node:fs';
import path from 'node:path';
import type { LlmRequest } from '@docwright/agent-core';
import type { ScriptedStep } from '@docwright/agent-core/testing';

/** One request of a story and its answer. The rules and the definitions of the tools are left out: each request has them. */
interface RecordedStep {
  request: { messages: { role: string; content: string }[]; tools: { function: { name: string } }[] };
  answer: { text?: string; tool_calls?: { name: string; arguments: Record<string, unknown> }[] };
}

export interface Story {
  name: string;
  question: string;
  language: string;
  steps: RecordedStep[];
}

const folder = path.join(import.meta.dirname, 'stories');

export function readStories(): Story[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((file) => {
      const lines = fs.readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
      const steps = lines.map((line) => JSON.parse(line) as RecordedStep);
      const question = steps[0]!.request.messages.findLast(({ role }) => role === 'user')!.content;
      const name = path.basename(file, '.jsonl');
      return { name, question, language: name.slice(-2), steps };
    });
}

/** What is recorded of a request. */
const recorded = ({ messages, tools = [] }: LlmRequest): RecordedStep['request'] => ({
  messages: messages.slice(1).map(({ role, content }) => ({ role, content })),
  tools: tools.map(({ function: { name } }) => ({ function: { name } })),
});

/**
 * The answers of a story as steps of a model. The ids of documents, prompts and values differ from those of the recording:
 * each is replaced by the one that stands at its place in what the product sends now.
 */
export function stepsOf({ steps }: Pick<Story, 'steps'>): ScriptedStep[] {
  const ids = new Map<string, string>();
  return steps.map(({ request, answer }) => (now) => {
    const present = recorded(now).messages;
    for (const [at, { content }] of request.messages.entries()) pairIds(content, present[at]?.content ?? '', ids);
    const written = (text: string) => text.replaceAll(anyId, (id) => ids.get(id) ?? id);
    return {
      ...(answer.text !== undefined && { text: written(answer.text) }),
      calls: (answer.tool_calls ?? []).map(({ name, arguments: args }) => ({
        name,
        arguments: written(JSON.stringify(args)),
      })),
    };
  });
}

const anyId = /\b(?:[\da-f]{24}|[capx][\da-f]{9})\b/gu;

/** Notes which id of one text stands for which of the other: they have the same ids at the same places. */
function pairIds(before: string, now: string, ids: Map<string, string>): void {
  const [old, present] = [before, now].map((text) => text.match(anyId) ?? []);
  for (const [at, id] of old!.entries()) if (present![at] !== undefined) ids.set(id, present![at]);
}
