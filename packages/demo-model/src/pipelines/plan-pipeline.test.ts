import { expect, it } from 'vitest';
import { playTurn } from '../testing/scripted-turn.ts';

const pipeline = {
  parsers: [{ extensions: ['txt'], plugin_id: 'plain' }],
  chunker: { plugin_id: 'heading' },
  embedder: null,
};
const templates = ['mixed', 'pages', 'chapters'].map((id) => ({ id, name: id, description: `for ${id}` }));
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

it('analyzes, builds and tries a pipeline, and applies only a built one', () => {
  const turn = say('Make it searchable, by headings');
  expect(turn.names).toEqual(['spawn_source_analyzer', 'list_templates', 'build_pipeline', 'spawn_pipeline_validator']);
  expect(turn.calls[2]?.arguments).toEqual({ template: 'chapters' });
  expect(turn.text).toContain('3 files.');
  expect(say('apply it').names).toEqual([]);
  expect(say('apply it as "Leases"', { current_pipeline: pipeline }).calls).toEqual([
    { name: 'apply_pipeline', arguments: { collection_name: 'Leases' } },
  ]);
});

it('analyzes a source and validates a pipeline, with answers in JSON', () => {
  const analysis = playTurn({
    request: 'Analyze the source.',
    offered: ['enumerate_files', 'sample_files', 'try_parser', 'get_file_content_preview'],
    tools: {
      enumerate_files: () => ({ total_files: 5 }),
      sample_files: () => ({ files: [{ document_id: 'a', name: 'a.pdf', extension: 'pdf' }] }),
      try_parser: ({ plugin_id }) => ({ success: plugin_id === 'ocr', reason: 'no_text_layer' }),
      get_file_content_preview: () => ({ text: 'Invoice 17\nInvoice date 2026-03-01\nVAT 3.80\nTotal due 23.80' }),
    },
  });
  expect(JSON.parse(analysis.text)).toMatchObject({
    success: true,
    data: {
      document_types: [{ type: 'invoice', count: 1 }],
      parser_recommendations: [{ extension: 'pdf', plugin_id: 'ocr', confidence: 1 }],
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

it('tries a pipeline that reads the failed documents, and builds it instead of the first', () => {
  const proposed = { parsers: [{ extensions: ['pdf'], plugin_id: 'pdf_text' }], chunker: { plugin_id: 'page' } };
  const validation = playTurn({
    request: 'Validate the pipeline.',
    offered: ['run_dry_run', 'get_failure_details', 'try_alternative_config', 'inspect_chunks'],
    page: `The proposed pipeline:\n${JSON.stringify(proposed)}`,
    tools: {
      run_dry_run: () => ({ tested: 4, failed: 2, documents: [{ document_id: 'a', chunks: 2 }] }),
      get_failure_details: () => ({ categories: [{ category: 'no_text_layer', count: 2 }] }),
      try_alternative_config: () => ({ tested: 2, succeeded: 2, failed: 0 }),
    },
  });
  const other = validation.calls[2]?.arguments.pipeline;
  expect(other).toMatchObject({
    parsers: [
      { extensions: ['pdf'], plugin_id: 'pdf_text', fallback_plugin_id: 'ocr' },
      ...Array.from({ length: 7 }, () => expect.anything()),
      { extensions: ['png', 'jpg', 'jpeg', 'tif', 'tiff', 'webp', 'gif', 'bmp'], plugin_id: 'ocr' },
    ],
    chunker: { plugin_id: 'page' },
  });
  expect(JSON.parse(validation.text).summary).toContain('2 more succeed');
  const alternatives = [{ pipeline: other, tested: 2, failed_before: 2, failed: 0 }];
  const built = playTurn({
    request: 'Make it searchable',
    offered,
    tools: {
      ...tools,
      spawn_pipeline_validator: (_, earlier) => ({
        success: true,
        data: { alternatives: earlier === 0 ? alternatives : [] },
        summary: earlier === 0 ? '2 of 4 documents succeeded.' : '4 of 4 documents succeeded.',
      }),
    },
  });
  expect(built.names.slice(-4)).toEqual([
    'build_pipeline',
    'spawn_pipeline_validator',
    'build_pipeline',
    'spawn_pipeline_validator',
  ]);
  expect(built.calls.at(-2)?.arguments).toEqual(other);
  expect(built.text).toContain('4 of 4 documents succeeded.');
});

it('reports fixes, and that too few documents succeeded', () => {
  const data = { categories: [{ category: 'damaged_file', fix: 'Upload it again.' }] };
  const uncertainties = [{ severity: 'blocking', message: 'Half of it failed.' }];
  const spawn_pipeline_validator = () => ({
    success: true,
    data,
    uncertainties,
    summary: '1 of 2 documents succeeded.',
  });
  const request = 'Make it searchable';
  const { text } = playTurn({ request, offered, tools: { ...tools, spawn_pipeline_validator } });
  expect(text).toMatch(/1 of 2 documents succeeded\.\n\n- Upload it again\.\n\nToo few documents succeeded/u);
});

it('extracts with a prompt of the organization only when the user wants fields', () => {
  const prompts = ['Invoices', 'Leases'].map((name) => ({ prompt_revid: `${name}-1`, name, fields: ['total'] }));
  const ask = (request: string, listed: object[], state?: object) =>
    playTurn({
      request,
      offered,
      page: JSON.stringify(state ?? { current_pipeline: null }),
      tools: {
        ...tools,
        list_templates: () => ({ templates, prompts: listed }),
      },
    });
  const builtBy = (turn: ReturnType<typeof ask>) => turn.calls.find(({ name }) => name === 'build_pipeline')?.arguments;
  const wanted = 'Make it searchable and extract the fields of the leases';
  expect(builtBy(ask(wanted, prompts))).toEqual({ template: 'mixed', extract: { prompt_revid: 'Leases-1' } });
  expect(builtBy(ask('Make it searchable', prompts))).toEqual({ template: 'mixed' });
  const later = ask('Extract the fields as well', prompts.slice(0, 1), { current_pipeline: pipeline });
  expect(builtBy(later)).toEqual({ extract: { prompt_revid: 'Invoices-1' } });
  const none = ask('Extract the fields as well', [], { current_pipeline: pipeline });
  expect([none.names, none.text]).toEqual([['list_templates'], expect.stringContaining('No prompt with a schema')]);
});
