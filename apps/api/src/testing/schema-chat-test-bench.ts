import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Column, SchemaChatAnswer, SchemaExecuteAnswer } from '@docwright/contract';
import { startTestApp, type TestApp } from './test-app.ts';
import type { TestAnswer, TestClient } from './test-client.ts';

/** The application with a model that follows a script, and schema chat over HTTP. */
export interface SchemaChatTestBench extends TestApp {
  script(...steps: ScriptedStep[]): ScriptedLlm;
}

export async function startSchemaChatTestBench(): Promise<SchemaChatTestBench> {
  let model: ScriptedLlm = scriptedLlm([]);
  const llm: LlmClient = { stream: (request) => model.stream(request) };
  const app = await startTestApp({ llm });
  return {
    ...app,
    script(...steps) {
      model = scriptedLlm(steps);
      return model;
    },
  };
}

export const total: Column = {
  id: 'c1',
  name: 'Total',
  type: 'currency',
  description: '',
  allowedValues: '',
  regex: '',
};
const project = { currentColumns: [total], projectId: 'p1', projectDescription: 'Invoices' };

export function sendChat(
  client: TestClient,
  text: string,
  override: object = {},
): Promise<TestAnswer<SchemaChatAnswer>> {
  const messages = [{ role: 'user', content: text }];
  return client.post('/api/schema-chat', { mode: 'chat', messages, settings: {}, ...project, ...override });
}

interface TestDecision {
  id: string;
  name: string;
  args: unknown;
  approved?: boolean;
}

export function execute(
  client: TestClient,
  decisions: TestDecision[],
  override: object = {},
): Promise<TestAnswer<SchemaExecuteAnswer>> {
  const toolDecisions = decisions.map(({ id, name, args, approved = true }) => ({
    id,
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    approved,
  }));
  return client.post('/api/schema-chat', { mode: 'execute', toolDecisions, ...project, ...override });
}
