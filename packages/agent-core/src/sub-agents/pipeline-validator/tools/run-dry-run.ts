import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { countRun, countsOf, failuresOf, type PipelineValidatorServices } from '../findings.ts';

const triesPipeline = 'Tries the pipeline on a sample';

export const runDryRun = defineTool({
  name: 'run_dry_run',
  description:
    'Takes a sample of the source through the proposed pipeline and writes nothing: how many succeeded, why others failed, how many are still being read, how long each stage took. The server chooses the sample; counts are of all runs so far.',
  effect: 'read_only',
  // Fewer would say too little of the source, whatever rate they have.
  parameters: z.strictObject({ sample_size: z.number().int().min(10).max(50).default(20) }),
  summarize: () => triesPipeline,
  execute: async (
    { services: { trial, findings, tell }, signal }: ToolContext<PipelineValidatorServices>,
    { sample_size },
  ) => {
    const sample = await trial.sample(sample_size);
    const heard = (done: number) => tell({ message: triesPipeline, done, total: sample.length });
    const run = await trial.dryRun(findings.pipeline, sample, signal, heard);
    countRun(findings, run);
    const documents = run.documents.map(({ document_id, document_name, parser, chunks, failure }) => ({
      document_id,
      document_name,
      parser,
      chunks: chunks.length,
      failed: failure?.category,
    }));
    const { rate: _, ...counts } = countsOf(findings);
    return { ...counts, categories: failuresOf(findings), stage_timings: run.timings, documents };
  },
});
