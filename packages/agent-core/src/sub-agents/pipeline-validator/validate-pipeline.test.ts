import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { scriptedLlm, type ScriptedStep } from '../../testing/scripted-llm.ts';
import { practiceTask } from '../../testing/sub-agent-task.ts';
import type { PipelineTrial, TriedDocument } from './services.ts';
import { validatePipeline } from './validate-pipeline.ts';

const pipeline = {
  parsers: [{ extensions: ['*'], plugin_id: 'plain', config: {} }],
  chunker: { plugin_id: 'page', config: {} },
  embedder: null,
};
const call = (name: string, args: Record<string, unknown> = {}): ScriptedStep => ({ calls: [{ name, args }] });
/** The answer of a model that has seen no failures. */
const allIsWell = (assessment: string): ScriptedStep => ({
  text: JSON.stringify({
    success: true,
    data: { assessment, tested: 100, succeeded: 100, success_rate: 1 },
    uncertainties: [],
    summary: 'All is well.',
  }),
});

/** A source in which `failing` documents fail in the proposed pipeline, and none in other pipelines. */
function trialOf(documents: number, failing: number): PipelineTrial {
  return {
    pipeline: async () => pipeline,
    sample: async (most) => Array.from({ length: Math.min(most, documents) }, (_, at) => `${at}`),
    async dryRun(given, ids) {
      const tried = ids.map((id): TriedDocument => {
        const named = {
          document_id: id,
          document_name: `${id}.pdf`,
          pages: 1,
          chunks: [{ page_num: 1, text: 'Text' }],
        };
        const fails = given === pipeline && Number(id) < failing;
        return fails ? { ...named, failure: { stage: 'parse', category: 'no_text_layer', message: 'Scan' } } : named;
      });
      const failed = tried.filter(({ failure }) => failure).length;
      const tested = ids.length;
      return { tested, succeeded: tested - failed, failed, categories: [], timings: {}, documents: tried };
    },
    before: async () => null,
    plugins: () => [],
  };
}

it.each([
  { failing: 0, severities: [], assessment: 'ready' },
  { failing: 1, severities: [], assessment: 'ready' },
  { failing: 2, severities: ['notable'], assessment: 'needs_adjustment' },
  { failing: 3, severities: ['blocking'], assessment: 'blocking_issues' },
  { failing: 20, severities: ['blocking'], assessment: 'blocking_issues' },
])('counts $failing failures of 20, whatever the model says', async ({ failing, severities, assessment }) => {
  const other = { ...pipeline, chunker: { plugin_id: 'recursive', config: {} } };
  const llm = scriptedLlm([
    call('run_dry_run'),
    // Successes with another config do not count for the proposed pipeline.
    call('try_alternative_config', { pipeline: other, document_ids: ['0', '1', '2'] }),
    allIsWell('ready'),
  ]);
  const result = await validatePipeline(trialOf(20, failing), practiceTask(llm));
  expect(result.data).toMatchObject({
    tested: 20,
    succeeded: 20 - failing,
    failed: failing,
    success_rate: (20 - failing) / 20,
    assessment,
    alternatives: [{ tested: 3, failed_before: Math.min(failing, 3), failed: 0 }],
  });
  expect(result.uncertainties.map(({ severity }) => severity)).toEqual(severities);
});

it('uses the model’s assessment if it is worse than the counted one', async () => {
  const llm = scriptedLlm([call('run_dry_run'), allIsWell('needs_adjustment')]);
  const { data } = await validatePipeline(trialOf(20, 0), practiceTask(llm));
  expect(data['assessment']).toBe('needs_adjustment');
});

it('returns the counts of the dry runs at the time limit', async () => {
  const llm = scriptedLlm([call('run_dry_run'), { text: 'Let me see', hangs: true }]);
  const result = await validatePipeline(trialOf(20, 5), practiceTask(llm, { timeoutMs: 200 }));
  expect(result).toMatchObject({
    success: false,
    data: { tested: 20, failed: 5 },
    uncertainties: [{ severity: 'blocking' }],
    summary: expect.stringContaining('time limit'),
  });
});

it('reports documents that are still being read or have no text, without changing the rate', async () => {
  const trial = trialOf(10, 0);
  const dryRun: PipelineTrial['dryRun'] = async (given, ids, signal) => {
    const run = await trial.dryRun(given, ids, signal);
    const reading = { stage: 'parse', category: 'not_read_yet', message: 'Still being read' };
    const documents = run.documents.map((document, at) => {
      if (at < 4) return { ...document, chunks: [], failure: reading };
      return at === 4 ? { ...document, chunks: [] } : document;
    });
    return { ...run, documents };
  };
  const llm = scriptedLlm([call('run_dry_run'), allIsWell('ready')]);
  const result = await validatePipeline({ ...trial, dryRun }, practiceTask(llm));
  expect(result.data).toMatchObject({ tested: 6, succeeded: 6, failed: 0, without_text: 1, waiting: 4 });
  expect(result.uncertainties).toMatchObject([
    { severity: 'notable', message: expect.stringMatching(/^1 of 6 .* gave no text/u) },
    { severity: 'notable', message: expect.stringMatching(/^4 of 10 .* still being read/u) },
  ]);
});

it('fails without counts if no dry run succeeded', async () => {
  const { success, data, uncertainties } = await validatePipeline(
    { ...trialOf(20, 20), dryRun: () => Promise.reject(new DomainError('conflict', 'busy', 'Later.')) },
    practiceTask(scriptedLlm([allIsWell('ready')])),
  );
  expect([success, data['tested'], uncertainties]).toEqual([false, 0, []]);
});

it('tries fifty documents, and returns statistics of their chunks', async () => {
  const llm = scriptedLlm([call('run_dry_run', { sample_size: 10 }), allIsWell('ready')]);
  const trial = trialOf(80, 0);
  const dryRun: PipelineTrial['dryRun'] = async (given, ids, signal) => {
    const run = await trial.dryRun(given, ids, signal);
    const documents = run.documents.map((document, at) => ({
      ...document,
      // Columns with blanks between them, which a chunk's limit counts once.
      chunks: [{ page_num: 1, text: at < 2 ? 'x'.repeat(at + 1) : `x${' '.repeat(500)}${'x'.repeat(at - 1)}` }],
    }));
    return { ...run, documents, timings: { parse: { total: 12.7, slowest: 2.2 } } };
  };
  const { data } = await validatePipeline({ ...trial, dryRun }, practiceTask(llm));
  expect(data).toMatchObject({
    tested: 50,
    chunks: {
      count: 50,
      characters: { mean: 26, tenth: 6, median: 26, ninetieth: 46 },
      shortest: { document_name: '0.pdf', page_num: 1, characters: 1 },
      longest: { document_name: '49.pdf', characters: 50 },
    },
    stage_timings: { parse: { total_ms: 25, slowest_ms: 2 } },
  });
  expect(data).not.toHaveProperty('since_before');
});

it('reports the changes of pipeline and results since the previous validation', async () => {
  const trial = trialOf(20, 0);
  const before = {
    pipeline: { ...pipeline, chunker: { plugin_id: 'recursive', config: {} } },
    tested: 20,
    succeeded: 15,
    failed: 5,
    success_rate: 0.75,
    assessment: 'blocking_issues',
    chunks: { count: 90, characters: { median: 4 } },
  };
  const llm = scriptedLlm([call('run_dry_run'), allIsWell('ready')]);
  const { data } = await validatePipeline({ ...trial, before: async () => before }, practiceTask(llm));
  expect(data['since_before']).toEqual({
    pipeline: [{ part: 'chunker', before: { plugin_id: 'recursive', config: {} }, now: pipeline.chunker }],
    results: {
      succeeded: { before: 15, now: 20 },
      failed: { before: 5, now: 0 },
      success_rate: { before: 0.75, now: 1 },
      assessment: { before: 'blocking_issues', now: 'ready' },
      chunks: { before: 90, now: 20 },
    },
  });
});

it('starts with a dry run, and completes a partial alternative with the proposed pipeline', async () => {
  const llm = scriptedLlm([
    call('try_alternative_config', { pipeline: { chunker: { plugin_id: 'recursive' } }, document_ids: ['0'] }),
    allIsWell('ready'),
  ]);
  const { data } = await validatePipeline(trialOf(20, 0), practiceTask(llm));
  expect(data).toMatchObject({
    tested: 20,
    alternatives: [{ tested: 1, pipeline: { ...pipeline, chunker: { plugin_id: 'recursive', config: {} } } }],
  });
  expect(JSON.stringify(llm.requests[0]?.messages)).toContain('run_dry_run');
});
