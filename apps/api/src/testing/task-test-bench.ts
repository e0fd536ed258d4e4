import type { Document, Task, TaskChatAnswer, taskList } from '@docwright/contract';
import type { z } from 'zod';
import { startScriptedTestApp, type ScriptedTestApp } from './test-app.ts';
import type { TestAnswer, TestClient } from './test-client.ts';

/** The application with a model that follows a script, and a user's tasks. */
export interface TaskTestBench extends ScriptedTestApp {
  send(client: TestClient, message: unknown, conversationId?: number | null): Promise<TestAnswer<TaskChatAnswer>>;
  tasksOf(client: TestClient): Promise<Task[]>;
  addTask(client: TestClient, body: object): Promise<Task>;
  addDocument(client: TestClient, name?: string): Promise<string>;
}

export async function startTaskTestBench(): Promise<TaskTestBench> {
  const app = await startScriptedTestApp();
  return {
    ...app,
    send: (client, message, conversation_id = null) =>
      client.post<TaskChatAnswer>(`/api/v1/agent/${client.userId}/chat`, { message, conversation_id }),
    tasksOf: async (client) =>
      (await client.get<z.infer<typeof taskList>>(`/api/v1/${client.userId}/tasks?limit=100`)).body.tasks,
    addTask: async (client, body) => (await client.post<Task>(`/api/v1/${client.userId}/tasks`, body)).body,
    async addDocument(client, name = 'march.txt') {
      const content = Buffer.from('Invoice').toString('base64');
      const uploaded = await client.post<{ documents: [Document] }>('./documents', { documents: [{ name, content }] });
      return uploaded.body.documents[0].id;
    },
  };
}
