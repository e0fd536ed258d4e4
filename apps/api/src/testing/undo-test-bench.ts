import type { Prompt, Schema, Tag, TurnAnswer, UndoAnswer } from '@docwright/contract';
import type { ScriptedStep } from '@docwright/agent-core/testing';
import { expect } from 'vitest';
import { userMessage, startChatTestBench } from './chat-test-bench.ts';

export const format = (...fields: string[]) => ({
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    strict: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      required: fields,
      additionalProperties: false,
    },
  },
});

let nameCount = 0;
export const uniqueName = (name: string) => `${name} ${(nameCount += 1)}`;

/** Tools that undo tests run without approval. */
const allowed = [
  'create_schema',
  'update_schema',
  'delete_schema',
  'create_prompt',
  'update_prompt',
  'delete_prompt',
  'create_tag',
  'update_tag',
  'delete_tag',
  'update_document',
  'delete_document',
  'run_extraction',
  'update_extraction_field',
];

export type UndoTestBench = Awaited<ReturnType<typeof startUndoTestBench>>;

/** The application with a scripted model, records to change, and turns whose calls run without approval. */
export async function startUndoTestBench() {
  const bench = await startChatTestBench();
  const { admin } = bench;
  const create = async <Entity>(path: string, body: object) => (await admin.post<Entity>(path, body)).body;

  /** Runs a scripted turn and checks its status. */
  async function turnTo(chat: string, status: TurnAnswer['status'], steps: ScriptedStep[]): Promise<TurnAnswer> {
    bench.script(...steps);
    const { body } = await admin.post<TurnAnswer>(chat, {
      ...userMessage('Change or delete these documents, schemas, prompts and tags.'),
      auto_approved_tools: allowed,
    });
    expect(body.status).toBe(status);
    return body;
  }

  return {
    ...bench,
    turnTo,
    newTag: (name = uniqueName('tag')) => create<Tag>('./tags', { name }),
    newSchema: () => create<Schema>('./schemas', { name: uniqueName('schema'), response_format: format('total') }),
    newPrompt: (override: object = {}) =>
      create<Prompt>('./prompts', { name: uniqueName('prompt'), content: 'Total?', ...override }),
    statusOf: async (path: string) => (await admin.get(path)).status,
    /** Finds the current records of a kind by name. */
    current: async <Entity>(kind: string, name: string) =>
      (await admin.get<Record<string, Entity[]>>(`./${kind}?name_search=${encodeURIComponent(name)}`)).body[kind]!,
    /** Uploads a document and reads its text. */
    async readDocument() {
      const document = await bench.documentOf(admin);
      await bench.services.documents.textReading.readAll(new AbortController().signal);
      return document;
    },
    /** Runs a turn in which every call succeeds. */
    async turnOf(chat: string, ...steps: ScriptedStep[]): Promise<TurnAnswer> {
      const turn = await turnTo(chat, 'completed', [...steps, { text: 'Done.' }]);
      const calls = turn.executed_rounds.flatMap((round) => round.tool_calls);
      expect(calls.filter((call) => !call.success)).toEqual([]);
      return turn;
    },
    undo: (chat: string, { turn_id }: Pick<TurnAnswer, 'turn_id'>) =>
      admin.post<UndoAnswer>(`${chat}/turns/${turn_id}/undo`, {}),
  };
}
