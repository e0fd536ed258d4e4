import { startDemoModel } from '@docwright/demo-model';
import { expect, it, vi } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { conversationsPath, startPipelineAgentTestBench } from '../../testing/pipeline-agent-test-bench.ts';

vi.setConfig({ testTimeout: 60_000 });

it('the demo model analyzes, builds, validates and proposes to apply, with fields on request', async () => {
  const demo = await startDemoModel();
  const bench = await startPipelineAgentTestBench({}, { baseUrl: demo.baseUrl, model: demo.model, apiKey: undefined });
  try {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const built = await bench.send(client, id, 'Make it searchable');
    expect(built.body.tool_calls.map(({ tool_name }) => tool_name)).toEqual([
      'spawn_source_analyzer',
      'list_templates',
      'build_pipeline',
      'spawn_pipeline_validator',
    ]);
    expect(built.body).toMatchObject({ uncertainties: [], current_pipeline: { chunker: { plugin_id: 'recursive' } } });
    expect(built.body.text).toContain('2 of 2 documents succeeded.');
    const none = await bench.send(client, id, 'Extract the fields as well');
    expect(none.body.text).toContain('No prompt with a schema');
    const prompt_revid = await addPrompt(client);
    const fields = await bench.send(client, id, 'Extract the fields of the lease as well');
    expect(fields.body.tool_calls[0]).toMatchObject({
      tool_name: 'list_templates',
      result: { prompts: [{ prompt_revid, name: 'Lease', fields: ['rent'] }] },
    });
    expect(fields.body.current_pipeline).toMatchObject({
      extract: { prompt_revid },
      chunker: { plugin_id: 'recursive' },
    });
    const events = await bench.stream(client, id, 'apply it as "Leases"');
    expect(events.find(({ type }) => type === 'question')).toMatchObject({ collection_name: 'Leases' });
    const applied = await client.post(`${conversationsPath}/${id}/apply`, { collection_name: 'Leases' });
    expect(applied.status).toBe(200);
  } finally {
    await bench.stop();
    await demo.close();
  }
});

/** Adds a prompt with a schema, and one without, which is not offered to pipelines. */
async function addPrompt(client: TestClient): Promise<string> {
  const schema = {
    type: 'object',
    properties: { rent: { type: ['string', 'null'] } },
    required: ['rent'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'lease', strict: true, schema } };
  const { body: schemaAnswer } = await client.post<{ schema_id: string }>('./schemas', {
    name: 'Lease',
    response_format,
  });
  const prompt = { name: 'Lease', content: 'Take the rent.', schema_id: schemaAnswer.schema_id };
  const { body } = await client.post<{ prompt_revid: string }>('./prompts', prompt);
  await client.post('./prompts', { name: 'Lease words', content: 'Say what stands there.' });
  return body.prompt_revid;
}
