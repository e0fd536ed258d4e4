import { startDemoModel } from '@docwright/demo-model';
import { expect, it, vi } from 'vitest';
import { conversationsPath, startPipelineAgentTestBench } from './pipeline-agent-test-bench.ts';

vi.setConfig({ testTimeout: 60_000 });

it('the demo model analyzes, builds, validates and proposes to apply', async () => {
  const demo = await startDemoModel();
  const bench = await startPipelineAgentTestBench({}, { baseUrl: demo.baseUrl, model: demo.model, apiKey: undefined });
  try {
    const client = await bench.addOrganization();
    const id = await bench.begin(client);
    const built = await bench.say(client, id, 'Make it searchable');
    expect(built.body.tool_calls.map(({ tool_name }) => tool_name)).toEqual([
      'spawn_source_analyzer',
      'list_templates',
      'build_pipeline',
      'spawn_pipeline_validator',
    ]);
    expect(built.body).toMatchObject({ uncertainties: [], current_pipeline: { chunker: { plugin_id: 'recursive' } } });
    expect(built.body.text).toContain('2 of 2 documents came through.');
    const events = await bench.stream(client, id, 'apply it as "Leases"');
    expect(events.find(({ type }) => type === 'question')).toMatchObject({ collection_name: 'Leases' });
    const applied = await client.post(`${conversationsPath}/${id}/apply`, { collection_name: 'Leases' });
    expect(applied.status).toBe(200);
  } finally {
    await bench.stop();
    await demo.close();
  }
});
