import type { LlmRequest } from '@docwright/agent-core';
import type { ScriptedStep } from '@docwright/agent-core/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditEntryModel } from '../audit/audit-model.ts';
import { documentModel } from '../documents/records/document-model.ts';
import { collectionModel } from '../collections/collection-model.ts';
import {
  conversationsPath,
  startPipelineAgentTestBench,
  textPipeline,
  type PipelineAgentTestBench,
} from '../../testing/pipeline-agent-test-bench.ts';

// Generous: the test machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: PipelineAgentTestBench;
/** With a short sub-agent timeout; thirty rounds can take longer than that. */
let shortTimeoutBench: PipelineAgentTestBench;
beforeAll(async () => {
  bench = await startPipelineAgentTestBench();
  shortTimeoutBench = await startPipelineAgentTestBench({ SUBAGENT_TIMEOUT_SECONDS: '3' });
});
afterAll(async () => {
  await bench.stop();
  await shortTimeoutBench.stop();
});

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, args });
const build = { calls: [call('build_pipeline', textPipeline)] };
const analysis = { document_types: [], quality_issues: [], parser_recommendations: [] };
const answer = (data: object, over: object = {}) => ({
  text: `Here it is:\n\`\`\`json\n${JSON.stringify({ success: true, data, uncertainties: [], summary: 'Fine.', ...over })}\n\`\`\``,
});

/** Each agent follows its own script, in any order of requests; the last step repeats. */
function scriptAgents(steps: Record<'main' | 'analyzer' | 'validator', ScriptedStep[]>, target = bench) {
  const requestCounts = { main: 0, analyzer: 0, validator: 0 };
  const play = ({ messages }: LlmRequest): ScriptedStep => {
    const system = messages[0]?.content ?? '';
    const agent = /source analyzer of/.test(system)
      ? 'analyzer'
      : /pipeline validator of/.test(system)
        ? 'validator'
        : 'main';
    return steps[agent][Math.min(requestCounts[agent]++, steps[agent].length - 1)]!;
  };
  target.script(...Array.from({ length: 80 }, () => play));
  return requestCounts;
}

it('analyzes and validates in parallel, with its own counts', async () => {
  const client = await bench.addOrganization();
  const files = {
    'a.txt': 'Invoice of the month, to be paid in full.',
    'b.md': '# Title\n\nText',
    'c.html': '<p>Page</p>',
  };
  const id = await bench.startConversation(client, files);
  const ids = (await documentModel(bench.connection).find({ organization_id: client.organizationId })).map((each) =>
    each._id.toHexString(),
  );
  scriptAgents({
    main: [build, { calls: [call('spawn_source_analyzer'), call('spawn_pipeline_validator')] }, { text: 'Done.' }],
    analyzer: [
      { calls: [call('enumerate_files'), call('sample_files')] },
      {
        calls: ids.flatMap((document_id) => [
          call('try_parser', { document_id, plugin_id: 'plain' }),
          call('detect_language', { document_ids: [document_id] }),
          call('get_file_content_preview', { document_id }),
        ]),
      },
      answer({ ...analysis, total_files: 999 }),
    ],
    validator: [
      { calls: [call('run_dry_run')] },
      { calls: [call('get_failure_details'), call('inspect_chunks', { document_id: ids[0] })] },
      {
        calls: [
          call('try_alternative_config', {
            pipeline: { ...textPipeline, parsers: [{ extensions: ['*'], plugin_id: 'plain' }] },
          }),
          call('compare_parser_output', { document_id: ids[2], plugin_ids: ['plain', 'html'] }),
        ],
      },
      answer({ assessment: 'ready', fixes: [{ category: 'no_parser', fix: 'Add a parser.' }] }),
    ],
  });
  const events = await bench.stream(client, id, 'Look at it');
  const subAgentEvents = events.filter(({ type }) => type.startsWith('subagent')).map(({ type }) => type);
  expect(subAgentEvents).toEqual(['subagent_start', 'subagent_start', 'subagent_end', 'subagent_end']);
  const steps = events.flatMap((event) => (event.type === 'status' && event.agent_id ? [event] : []));
  expect(steps).toContainEqual({
    type: 'status',
    status: 'working',
    agent_id: 'source_analyzer',
    message: 'Tries Plain text on b.md',
    done: 3,
    total: 9,
  });
  expect(steps).toContainEqual(
    expect.objectContaining({ agent_id: 'pipeline_validator', message: expect.stringContaining('sample'), done: 2 }),
  );
  const conversation = await bench.get(client, id);
  expect(conversation.source_analysis).toMatchObject({
    total_files: 3,
    sampled_files: 3,
    by_extension: expect.arrayContaining([expect.objectContaining({ extension: 'html', files: 1 })]),
    // Each file by the default parser of its kind, which the sample includes, and by the requested one.
    parser_trials: ['html', 'plain', 'plain', 'plain'].map((plugin_id) => ({ plugin_id, success: true })),
    document_types: [],
  });
  const { tool_calls, subagents } = conversation.messages[1]!;
  // Says why one failed, which the comparison of the whole does not.
  expect(subagents?.map(({ agent_id, summary }) => [agent_id, summary])).toEqual([
    ['source_analyzer', 'Fine.'],
    [expect.stringContaining('pipeline_validator'), 'Fine.'],
  ]);
  expect(subagents).toMatchObject([
    {
      agent_id: 'source_analyzer',
      steps: expect.arrayContaining(['Counts the files']),
      success: true,
      summary: 'Fine.',
    },
    { agent_id: expect.stringContaining('pipeline_validator'), steps: expect.any(Array), success: true },
  ]);
  expect(conversation.validation).toMatchObject({
    tested: 3,
    failed: 2,
    alternatives: [{ tested: 2, failed: 0 }],
    pipeline: conversation.current_pipeline,
  });
  expect(tool_calls[2]?.result).toMatchObject({
    success: true,
    data: {
      tested: 3,
      succeeded: 1,
      failed: 2,
      assessment: 'blocking_issues',
      categories: [{ category: 'no_parser', count: 2, fix: 'Add a parser.' }],
      stage_timings: { parse: { total_ms: expect.any(Number), slowest_ms: expect.any(Number) } },
    },
  });
  expect(conversation.uncertainties).toMatchObject([
    { severity: 'blocking', message: expect.stringContaining('1 of 3') },
  ]);
  expect(events.some(({ type }) => type === 'uncertainty')).toBe(true);
  const apply = await client.post(`${conversationsPath}/${id}/apply`, { collection_name: 'X' });
  expect(apply.error?.code).toBe('blocking_uncertainty');
  const whole = { ...textPipeline, parsers: [{ extensions: ['*'], plugin_id: 'plain' }] };
  scriptAgents({
    main: [
      // In one answer, and only the changed part.
      { calls: [call('build_pipeline', { parsers: whole.parsers }), call('spawn_pipeline_validator')] },
      { text: 'Better.' },
    ],
    analyzer: [],
    validator: [{ calls: [call('run_dry_run')] }, answer({ assessment: 'ready' })],
  });
  expect((await bench.send(client, id, 'Again')).body.uncertainties).toMatchObject([
    { resolved: true, resolved_by: 'pipeline_replaced' },
  ]);
  expect(await collectionModel(bench.connection).countDocuments({ organization_id: client.organizationId })).toBe(0);
});

it('numbers concurrent sub-agents of one kind, and starts at most four at once', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const spawns = Array.from({ length: 6 }, () => call('spawn_source_analyzer'));
  // No analyzer finishes before the other two were refused.
  const refusals = () =>
    auditEntryModel(bench.connection).countDocuments({
      organization_id: client.organizationId,
      kind: 'executed',
      success: false,
    });
  const pause = () => expect.poll(refusals).toBe(2);
  scriptAgents({
    main: [{ calls: spawns }, { text: 'Done.' }],
    analyzer: [{ ...answer(analysis), pause }],
    validator: [],
  });
  const events = await bench.stream(client, id, 'Look at it from all sides');
  const named = (wanted: string) =>
    events.flatMap((event) => (event.type === wanted && 'agent_id' in event ? [event.agent_id] : []));
  const names = ['source_analyzer', 'source_analyzer_2', 'source_analyzer_3', 'source_analyzer_4'];
  expect(named('subagent_start')).toEqual(names);
  expect(new Set(named('subagent_end'))).toEqual(new Set(names));
  const { tool_calls } = (await bench.get(client, id)).messages[1]!;
  const refused = tool_calls.filter(({ result }) =>
    JSON.stringify(result).includes('At most 4 sub-agents work at the same time'),
  );
  expect(refused).toHaveLength(2);
});

describe('a sub-agent that misbehaves changes nothing and blocks nothing', () => {
  const loops: ScriptedStep[] = [{ calls: [call('enumerate_files')] }];
  const cases: [string, ScriptedStep[], string, number][] = [
    ['that loops', loops, 'not finish within its rounds', 30],
    [
      'that hangs',
      [{ calls: [call('enumerate_files')] }, { text: 'Let me', hangs: true }],
      'time limit of 3 s was reached',
      2,
    ],
    ['that answers nonsense', [{ text: 'The source is fine.' }], 'no valid answer', 2],
    ['whose model fails', [{ error: new Error('secret') }], 'The sub-agent failed', 1],
    [
      'that proposes writes',
      [
        { calls: [call('build_pipeline', textPipeline), call('apply_pipeline', { collection_name: 'X' })] },
        { calls: [call('delete_document', { document_id: 'x' }), call('enumerate_files')] },
        answer(analysis),
      ],
      'Fine.',
      3,
    ],
  ];
  it.each(cases)('%s', async (_, analyzer, summary, asked) => {
    const used = summary.startsWith('time limit') ? shortTimeoutBench : bench;
    const client = await used.addOrganization();
    const id = await used.startConversation(client);
    const main = [{ calls: [call('spawn_source_analyzer')] }, { text: 'That was that.' }];
    const count = scriptAgents({ main, analyzer, validator: [] }, used);
    const { status, body } = await used.send(client, id, 'Look at it');
    expect([status, body.text, count.analyzer]).toEqual([200, 'That was that.', asked]);
    const { result } = body.tool_calls[0]!;
    expect(result).toMatchObject({ success: summary === 'Fine.', summary: expect.stringContaining(summary) });
    if (analyzer === loops) expect(result).toMatchObject({ data: { total_files: 2 } });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(await used.get(client, id)).toMatchObject({
      status: 'active',
      current_pipeline: null,
      collection_id: null,
    });
  });

  it('reads only a sample of a thousand files', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const documents = documentModel(bench.connection);
    const one = await documents.findOne({ organization_id: client.organizationId }).lean();
    const { _id: _, ...like } = one!;
    await documents.insertMany(Array.from({ length: 1000 }, (__, at) => ({ ...like, document_name: `${at}.txt` })));
    scriptAgents({
      main: [{ calls: [call('spawn_source_analyzer')] }, { text: 'Done.' }],
      analyzer: [{ calls: [call('enumerate_files'), call('sample_files', { max_files: 30 })] }, answer(analysis)],
      validator: [],
    });
    const { body } = await bench.send(client, id, 'Look at it');
    expect(body.tool_calls[0]?.result).toMatchObject({ success: true, data: { total_files: 1002, sampled_files: 30 } });
  });
});
