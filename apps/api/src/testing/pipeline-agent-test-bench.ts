import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { AgentConversation, AgentMessageAnswer, AgentMessageEvent, Source } from '@docwright/contract';
import { startTestApp, type TestApp } from './test-app.ts';
import type { TestAnswer, TestClient } from './test-client.ts';

export const conversationsPath = '/api/v2/agent/conversations';

export const textPipeline = {
  parsers: [{ extensions: ['txt'], plugin_id: 'plain' }],
  chunker: { plugin_id: 'recursive' },
};

/** The application with a model that follows a script, and conversations with the pipeline agent. */
export interface PipelineAgentTestBench extends TestApp {
  /** Sets the model's next steps. */
  script(...steps: ScriptedStep[]): ScriptedLlm;
  /** Uploads and reads these documents, and starts a conversation about a source of all of them. */
  startConversation(client: TestClient, files?: Record<string, string>): Promise<string>;
  send(client: TestClient, id: string, message: string): Promise<TestAnswer<AgentMessageAnswer>>;
  /** The same as a stream; resolves with all events. */
  stream(client: TestClient, id: string, message: string): Promise<AgentMessageEvent[]>;
  get(client: TestClient, id: string): Promise<AgentConversation>;
}

/** @param llmEndpoint replaces the scripted model. */
export async function startPipelineAgentTestBench(
  settings: Record<string, string> = {},
  llmEndpoint?: { baseUrl: string; apiKey: string | undefined; model: string },
): Promise<PipelineAgentTestBench> {
  let model: ScriptedLlm = scriptedLlm([]);
  const llm: LlmClient = { stream: (request) => model.stream(request) };
  const app = await startTestApp({ settings, ...(llmEndpoint === undefined ? { llm } : { llmEndpoint }) });
  const post = (client: TestClient, id: string, message: string, accept: string) =>
    client.request<AgentMessageAnswer>('POST', `${conversationsPath}/${id}/messages`, {
      payload: { message },
      headers: { accept },
    });
  return {
    ...app,
    script(...steps) {
      model = scriptedLlm(steps);
      return model;
    },
    async startConversation(client, files = { 'lease.txt': 'The tenant pays rent.', 'menu.txt': 'Soup of the day.' }) {
      const documents = Object.entries(files).map(([name, text]) => ({
        name,
        content: Buffer.from(text).toString('base64'),
      }));
      await client.post('./documents', { documents });
      await app.services.documents.textReading.readAll(new AbortController().signal);
      const { body: source } = await client.post<Source>('/api/v2/sources', { name: 'All' });
      return (await client.post<{ id: string }>(conversationsPath, { source_id: source.id })).body.id;
    },
    send: (client, id, message) => post(client, id, message, 'application/json'),
    async stream(client, id, message) {
      const { text } = await post(client, id, message, 'text/event-stream');
      return [...text.matchAll(/^data: (.*)$/gmu)].map(([, data]) => JSON.parse(data ?? '') as AgentMessageEvent);
    },
    get: async (client, id) => (await client.get<AgentConversation>(`${conversationsPath}/${id}`)).body,
  };
}
