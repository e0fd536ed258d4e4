import type { Column, SchemaChatAnswer, SchemaExecuteAnswer } from '@docwright/contract';
import type { TestAnswer, TestClient } from './test-client.ts';

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
