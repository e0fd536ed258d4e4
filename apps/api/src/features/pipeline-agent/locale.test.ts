import { systemIn } from '@docwright/agent-core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  conversationsPath,
  startPipelineAgentTestBench,
  type PipelineAgentTestBench,
} from '../../testing/pipeline-agent-test-bench.ts';

let bench: PipelineAgentTestBench;
beforeAll(async () => {
  bench = await startPipelineAgentTestBench();
});
afterAll(async () => bench.stop());

it('the designer and the guided setup tell the model the date and the language of the request, else of the organization', async () => {
  const client = await bench.addOrganization();
  await client.patch(`/v0/orgs/${client.organizationId}`, { time_zone: 'Asia/Tokyo', language: 'de' });
  const id = await bench.startConversation(client);
  const design = {
    mode: 'chat',
    messages: [{ role: 'user', content: 'Hello' }],
    projectId: 'p',
    settings: {},
    currentColumns: [],
  };
  const requests: [string, object][] = [
    [`${conversationsPath}/${id}/messages`, { message: 'Hello' }],
    ['/api/schema-chat', design],
  ];
  for (const [path, payload] of requests) {
    const askedWith = async (language: string) => {
      const model = bench.script({ text: 'Hello.' });
      await client.request('POST', path, {
        payload,
        headers: { 'accept-language': language, accept: 'application/json', 'x-org-id': client.organizationId },
      });
      return systemIn(model.requests[0]);
    };
    const silent = await askedWith('*');
    expect(silent).toContain('(Asia/Tokyo)');
    expect(silent).toContain('German (de)');
    expect(await askedWith('fr-CH, fr;q=0.9')).toContain('Swiss French (fr-CH)');
  }
});
