import { randomUUID } from 'node:crypto';
import { createTaskAgentProfile, messagesForHistory, type LlmMessage } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Task } from '@docwright/contract';
import { recordingStep, idsOf, turnsOf } from './other-stories.ts';
import { nothingPlayed, playTurn, type Played, newTurn } from './play-turn.ts';
import type { RecordedStep } from './recorded.ts';

/** A story of the task agent. The tail of each request has the open tasks, so the calls that list them are removed. */
export async function playTasks(steps: RecordedStep[]): Promise<Played> {
  const played = nothingPlayed();
  const all: Task[] = [];
  const found = (id: string) => all.find((task) => task.id === id)!;
  const documents = [...(steps[0]!.request.messages[0]?.content ?? '').matchAll(/- "(.+)" \(document_id (\w+)\)/g)];
  const services = {
    now: () => new Date('2026-11-22T12:00:00Z'),
    recentDocuments: async () => documents.map(([, name = '', id = '']) => ({ id, name })),
    tasks: {
      get: async (id: string) => found(id),
      list: async ({
        skip,
        limit,
        is_completed,
      }: {
        skip: number;
        limit: number;
        is_completed?: boolean | undefined;
      }) => {
        const tasks = all.filter((task) => is_completed === undefined || task.is_completed === is_completed);
        return { tasks: tasks.slice(skip, skip + limit), total_count: tasks.length, skip, limit };
      },
      create: async ({
        title,
        due_at,
        document_id,
      }: {
        title: string;
        due_at?: string | null;
        document_id?: string | null;
      }) => {
        const task: Task = {
          id: randomUUID(),
          title,
          is_completed: false,
          ...(document_id && { document_id }),
          ...(due_at && { due_at }),
          created_at: '2026-11-22T12:00:00.000Z',
          version: 1,
        };
        all.push(task);
        return task;
      },
      update: async (id: string, change: object) => Object.assign(found(id), change),
      delete: async (id: string) => found(id),
    },
  };
  const profile = createTaskAgentProfile({ maxRounds: 20, timeoutMs: 60_000 });
  const ids = new Map<string, string>();
  const thread: string[] = [];
  played.threads.push(thread);
  let history: LlmMessage[] = [];
  for (const { message, answers } of turnsOf(steps)) {
    const needed = answers.filter(({ calls }) => calls.length === 0 || calls.some(({ name }) => name !== 'list_tasks'));
    const messages: LlmMessage[] = [...history, { role: 'user', content: message }];
    const llm = scriptedLlm(
      needed.map(({ text, calls }) => recordingStep(played, thread, () => ({ text, calls: idsOf(calls, ids) }))),
    );
    const result = await playTurn(
      {
        profile,
        llm,
        services,
        ...newTurn(messages, { autoApprove: true, maxMessages: messages.length }),
      },
      played,
    );
    // A recorded id belongs to the task that was added under the same title.
    for (const { content } of steps.flatMap(({ request }) => request.messages)) {
      for (const [, id = '', title = ''] of (content ?? '').matchAll(/"id":"([\da-f-]{36})","title":"([^"]+)"/g)) {
        const now = all.find((task) => task.title === title)?.id;
        if (now !== undefined) ids.set(id, now);
      }
    }
    history = [...messages, ...messagesForHistory(result.messages)];
  }
  return played;
}
