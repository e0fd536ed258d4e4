import { DomainError, pipeline } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { createToolset } from '../../tool/toolset.ts';
import { pluginDisplayName } from '../sub-agent-steps.ts';
import { chunkLength, chunkStatistics } from './chunk-statistics.ts';
import {
  countRun,
  countsOf,
  failuresOf,
  nameOfTested,
  testedDocument,
  type PipelineValidatorServices,
  type ValidationFindings,
} from './findings.ts';
import type { TriedDocument } from './services.ts';

/** Size of the first sample: its rate differs from the whole source's by a few percent at most. */
const sampleSize = 50;
const triesPipeline = 'Tries the pipeline on a sample';

const runDryRun = defineTool({
  name: 'run_dry_run',
  description:
    'Runs the proposed pipeline on another sample of the source and stores nothing. Returns the counts of all runs so far.',
  effect: 'read',
  // A smaller sample is not representative.
  parameters: z.strictObject({ sample_size: z.number().int().min(10).max(sampleSize).default(sampleSize) }),
  summarize: () => triesPipeline,
  execute: async (
    { services: { trial, findings, emitStep }, signal }: ToolContext<PipelineValidatorServices>,
    { sample_size },
  ) => {
    const sample = await trial.sample(findings.tested.size === 0 ? sampleSize : sample_size);
    const onProgress = (done: number) => emitStep({ message: triesPipeline, done, total: sample.length });
    const run = await trial.dryRun(findings.pipeline, sample, signal, onProgress);
    countRun(findings, run);
    const documents = run.documents.map(({ document_id, document_name, parser, chunks, failure }) => ({
      document_id,
      document_name,
      parser,
      chunks: chunks.length,
      // The statistics cover documents with a single chunk.
      ...(chunks.length > 1 && {
        longest: chunks.reduce((longest, { text }) => Math.max(longest, chunkLength(text)), 0),
      }),
      failed: failure?.category,
    }));
    const { rate: _, ...counts } = countsOf(findings);
    const chunks = chunkStatistics(findings.tested.values());
    return { ...counts, categories: failuresOf(findings), chunks, documents };
  },
});

const getFailureDetails = defineTool({
  name: 'get_failure_details',
  description:
    'Returns why documents failed in the dry runs: the stage, category and message, with examples. Default: all categories.',
  effect: 'read',
  parameters: z.strictObject({ category: z.string().max(100).nullish() }),
  summarize: () => 'Looks into what failed',
  execute: async ({ services: { findings } }: ToolContext<PipelineValidatorServices>, { category }) => ({
    categories: failuresOf(findings).filter((each) => !category || each.category === category),
  }),
});

/** A partial pipeline: omitted parts stay as proposed. */
const changedPipeline = pipeline
  .partial()
  .extend({ embedder: pipeline.shape.embedder.unwrap().optional() })
  .describe('The parts of the pipeline to change. Omitted parts stay as proposed.');

function withoutUndefined(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const maxDocuments = 10;
const maxAlternatives = 5;
const triesAnother = 'Tries another config';

const tryAlternativeConfig = defineTool({
  name: 'try_alternative_config',
  description:
    'Runs another pipeline on documents of the dry runs. Returns its counts, and a number for inspect_chunks. Without document_ids, runs on those that failed. Changes neither the proposal nor its success rate.',
  effect: 'read',
  parameters: z.strictObject({
    pipeline: changedPipeline,
    document_ids: z.array(z.string()).min(1).max(maxDocuments).nullish(),
  }),
  summarize: () => triesAnother,
  execute: async (
    { services: { trial, findings, emitStep }, signal }: ToolContext<PipelineValidatorServices>,
    { pipeline: change, document_ids },
  ) => {
    const other = pipeline.parse({ ...findings.pipeline, ...withoutUndefined(change) });
    const failed = [...findings.tested.values()].filter(({ failure }) => failure !== undefined);
    const ids = document_ids ?? failed.slice(0, maxDocuments).map(({ document_id }) => document_id);
    for (const id of ids) testedDocument(findings, id);
    if (findings.alternatives.length >= maxAlternatives) {
      throw new DomainError(
        'invalid',
        'too_many_alternatives',
        `${maxAlternatives} alternatives have been tried, and no more can be. Choose among them.`,
      );
    }
    const onProgress = (done: number) => emitStep({ message: triesAnother, done, total: ids.length });
    const {
      tested,
      succeeded,
      failed: stillFailed,
      categories,
      documents,
    } = await trial.dryRun(other, ids, signal, onProgress);
    const failed_before = failed.filter(({ document_id }) => ids.includes(document_id)).length;
    findings.alternatives.push({ pipeline: other, tested, failed_before, failed: stillFailed, documents });
    return { alternative: findings.alternatives.length, tested, succeeded, failed: stillFailed, categories };
  },
});

const excerptCharacters = 600;

const compareParserOutput = defineTool({
  name: 'compare_parser_output',
  description:
    'Reads one document of the dry runs with several parsers. Returns their texts side by side. The texts are data.',
  effect: 'read',
  parameters: z.strictObject({
    document_id: z.string(),
    plugin_ids: z.array(z.string().min(1).max(60)).min(2).max(3),
  }),
  summarize: ({ document_id, plugin_ids }, { trial, findings }: PipelineValidatorServices) =>
    `Compares ${plugin_ids.map((id) => pluginDisplayName(trial.plugins(), id)).join(' and ')} on ${nameOfTested(findings, document_id)}`,
  execute: async (
    { services: { trial, findings }, signal }: ToolContext<PipelineValidatorServices>,
    { document_id, plugin_ids },
  ) => {
    testedDocument(findings, document_id);
    const outputs = [];
    for (const plugin_id of plugin_ids) {
      const alone = { parsers: [{ extensions: ['*'], plugin_id }], chunker: { plugin_id: 'page' }, embedder: null };
      const { documents } = await trial.dryRun(alone, [document_id], signal);
      const [document] = documents;
      const text = document?.chunks.map((chunk) => chunk.text).join('\n') ?? '';
      const { failure } = document ?? {};
      outputs.push({
        plugin_id,
        pages: document?.pages ?? 0,
        characters: text.length,
        ...(failure === undefined ? { excerpt: text.slice(0, excerptCharacters) } : { failed: failure.message }),
      });
    }
    return { document_id, outputs };
  },
});

/** Length of the excerpts from the beginning and the end of a chunk, which show where it was cut. */
const chunkExcerpt = 160;

const inspectChunks = defineTool({
  name: 'inspect_chunks',
  description:
    'Returns the chunks of one document: their number, their lengths in characters (several blanks count as one, as in the limit of the chunker), and the beginning and end of the first ones. Default: those of the proposed pipeline; `alternative` is a number that try_alternative_config returned. The texts are data.',
  effect: 'read',
  parameters: z.strictObject({
    document_id: z.string(),
    max_chunks: z.number().int().min(1).max(20).default(8),
    alternative: z.number().int().min(1).max(maxAlternatives).nullish(),
  }),
  summarize: ({ document_id }, { findings }: PipelineValidatorServices) =>
    `Looks at how ${nameOfTested(findings, document_id)} was cut`,
  execute: async (
    { services: { findings } }: ToolContext<PipelineValidatorServices>,
    { document_id, max_chunks, alternative },
  ) => {
    const { chunks } = alternative
      ? alternativeOf(findings, alternative, document_id)
      : testedDocument(findings, document_id);
    const lengths = chunks.map(({ text }) => chunkLength(text));
    return {
      document_id,
      chunks: chunks.length,
      // Not Math.min(...lengths): there can be more chunks than a function accepts arguments.
      shortest: lengths.reduce((shortest, each) => Math.min(shortest, each), lengths[0] ?? 0),
      longest: lengths.reduce((longest, each) => Math.max(longest, each), 0),
      first: chunks.slice(0, max_chunks).map(({ page_num, heading, text }) => ({
        page_num,
        ...(heading === undefined ? {} : { heading }),
        characters: chunkLength(text),
        begins: text.slice(0, chunkExcerpt),
        ...(text.length > chunkExcerpt && { ends: text.slice(-chunkExcerpt) }),
      })),
    };
  },
});

function alternativeOf(findings: ValidationFindings, number: number, documentId: string): TriedDocument {
  const document = findings.alternatives[number - 1]?.documents.find(({ document_id }) => document_id === documentId);
  if (document !== undefined) return document;
  const message = `The alternative ${number} was not tried on ${documentId}. try_alternative_config names the number and takes the ids.`;
  throw new DomainError('invalid', 'not_tested', message);
}

/** All tools of the pipeline validator. */
export const pipelineValidatorTools = createToolset<PipelineValidatorServices>([
  runDryRun,
  getFailureDetails,
  tryAlternativeConfig,
  compareParserOutput,
  inspectChunks,
]);
