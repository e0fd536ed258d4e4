import { once } from 'node:events';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import type {
  Approval,
  ApprovalDecision,
  ApprovalList,
  DecideApprovalsAnswer,
  Document,
  Run,
  Tag,
} from '@docwright/contract';
import { startJobs } from '../process/start-jobs.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import type { TestClient } from './test-client.ts';

/** The application with its jobs, and an agent that proposes a change of each document. */
export interface ApprovalsTestBench extends TestApp {
  uploadDocuments(client: TestClient, count: number, text?: string): Promise<string[]>;
  /** Starts a run that parks its calls, and resolves with it once it has ended. */
  startParkedRun(client: TestClient, ids: string[], message: string): Promise<Run>;
  readRun(client: TestClient, id: string): () => Promise<Run>;
  inbox(client: TestClient, query?: string): Promise<ApprovalList>;
  /** Returns the status of each outcome. */
  decide(client: TestClient, calls: Approval[], override?: Partial<ApprovalDecision>): Promise<string[]>;
  listTags(client: TestClient): Promise<Tag[]>;
}

export async function startApprovalsTestBench(): Promise<ApprovalsTestBench> {
  let tagCount = 0;
  /**
   * "HANG": no answer until aborted. "Rename": a change of the document instead of a new tag. "Twice": a second call in
   * the answer.
   */
  const llm: LlmClient = {
    async *stream(request) {
      const conversation = JSON.stringify(request.messages);
      if (conversation.includes('HANG')) await once(request.signal!, 'abort');
      const isFirst = !request.messages.some(({ role }) => role === 'tool');
      const call = conversation.includes('Rename')
        ? { name: 'update_document', args: { set_metadata: { paid: 'yes' } } }
        : { name: 'create_tag', args: { name: `tag ${(tagCount += 1)}` } };
      const calls = conversation.includes('Twice')
        ? [call, { name: 'create_tag', args: { name: `tag ${(tagCount += 1)}` } }]
        : [call];
      yield* scriptedLlm([isFirst ? { text: 'I would like to.', calls } : { text: 'Done.' }]).stream(request);
    },
  };
  const app = await startTestApp({ llm });
  await startJobs(app.services);
  const readRun = (client: TestClient, id: string) => async () => (await client.get<Run>(`./runs/${id}`)).body;
  return {
    ...app,
    readRun,
    async uploadDocuments(client, count, text = 'Total: 5') {
      const content = Buffer.from(text).toString('base64');
      const batch = Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, content }));
      const { body } = await client.post<{ documents: Document[] }>('./documents', { documents: batch });
      const ids = body.documents.map(({ id }) => id);
      // A run shows the model what is read by then.
      const read = async () =>
        await Promise.all(ids.map(async (id) => (await client.get<Document>(`./documents/${id}`)).body));
      await pollUntil(read, (documents) => documents.every(({ state }) => state === 'ocr_completed'));
      return ids;
    },
    async startParkedRun(client, ids, message) {
      const { id } = (await client.post<Run>('./runs', { document_ids: ids, message, on_ask: 'park' })).body;
      return await pollUntil(readRun(client, id), ({ ended_at }) => ended_at !== null);
    },
    inbox: async (client, query = '') => (await client.get<ApprovalList>(`./approvals?limit=100&${query}`)).body,
    async decide(client, calls, override = { approved: true }) {
      const decisions = calls.map(({ turn_id, call_id }) => ({ turn_id, call_id, ...override }));
      const { body } = await client.post<DecideApprovalsAnswer>('./approvals/decide', { decisions });
      return body.outcomes.map(({ status }) => status);
    },
    listTags: async (client) => (await client.get<{ tags: Tag[] }>('./tags?limit=100')).body.tags,
  };
}

/** Reads until `isDone` accepts the value; the test's timeout limits it. */
export async function pollUntil<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
