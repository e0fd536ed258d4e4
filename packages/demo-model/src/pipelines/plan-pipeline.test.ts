import { expect, it } from 'vitest';
import { playTurn } from '../testing/scripted-turn.ts';

const pipeline = {
  parsers: [{ extensions: ['txt'], plugin_id: 'plain' }],
  chunker: { plugin_id: 'heading' },
  embedder: null,
};
const templates = ['mixed', 'pages', 'chapters'].map((id) => ({ id, name: id, description: `for ${id}`, pipeline }));
const offered = [
  'list_plugins',
  'list_templates',
  'build_pipeline',
  'spawn_source_analyzer',
  'spawn_pipeline_validator',
  'apply_pipeline',
];
const tools = {
  list_templates: () => ({ templates }),
  spawn_source_analyzer: () => ({ success: true, summary: '3 files.' }),
};
const say = (request: string, state: object = { current_pipeline: null }) =>
  playTurn({ request, offered, tools, page: JSON.stringify(state) });

it('looks, builds and tries, and applies only what was built', () => {
  const turn = say('Make it searchable, by headings');
  expect(turn.names).toEqual(['spawn_source_analyzer', 'list_templates', 'build_pipeline', 'spawn_pipeline_validator']);
  expect(turn.calls[2]?.arguments).toEqual(pipeline);
  expect(turn.text).toContain('3 files.');
  expect(say('apply it').names).toEqual([]);
  expect(say('apply it as "Leases"', { current_pipeline: pipeline }).calls).toEqual([
    { name: 'apply_pipeline', arguments: { collection_name: 'Leases' } },
  ]);
});

it('analyzes a source and validates a pipeline, and answers in JSON', () => {
  const analysis = playTurn({
    request: 'Analyze the source.',
    offered: ['enumerate_files', 'sample_files', 'try_parser', 'detect_language', 'detect_patterns'],
    tools: {
      enumerate_files: () => ({ total_files: 5 }),
      sample_files: () => ({ files: [{ document_id: 'a', name: 'a.pdf', extension: 'pdf' }] }),
      try_parser: () => ({ success: false, reason: 'no text' }),
      detect_patterns: () => ({ files: [{ document_type: 'invoice' }] }),
    },
  });
  expect(JSON.parse(analysis.text)).toMatchObject({
    success: true,
    data: {
      document_types: [{ type: 'invoice', count: 1 }],
      parser_recommendations: [{ extension: 'pdf', plugin_id: 'ocr', confidence: 0.5 }],
    },
  });
  const validation = playTurn({
    request: 'Validate the pipeline.',
    offered: ['run_dry_run', 'get_failure_details', 'inspect_chunks'],
    tools: {
      run_dry_run: () => ({
        failed: 1,
        documents: [
          { document_id: 'a', chunks: 2 },
          { document_id: 'b', chunks: 0 },
        ],
      }),
      get_failure_details: () => ({ categories: [{ category: 'no_parser', count: 1 }] }),
    },
  });
  expect(validation.names).toEqual(['run_dry_run', 'get_failure_details', 'inspect_chunks']);
  expect(JSON.parse(validation.text)).toMatchObject({
    data: { assessment: 'needs_adjustment', fixes: [{ category: 'no_parser' }] },
  });
});
