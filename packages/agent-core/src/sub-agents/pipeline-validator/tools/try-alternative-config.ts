import { pipeline } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { testedDocument, type PipelineValidatorServices } from '../findings.ts';

const mostDocuments = 10;
const mostAlternatives = 5;
const triesAnother = 'Tries another config';

export const tryAlternativeConfig = defineTool({
  name: 'try_alternative_config',
  description:
    'Takes documents of the dry runs through another pipeline: those that failed where no ids are given. Does not change the proposal and does not count for its rate.',
  effect: 'read_only',
  parameters: z.strictObject({ pipeline, document_ids: z.array(z.string()).min(1).max(mostDocuments).nullish() }),
  summarize: () => triesAnother,
  execute: async (
    { services: { trial, findings, tell }, signal }: ToolContext<PipelineValidatorServices>,
    { pipeline: other, document_ids },
  ) => {
    const failed = [...findings.tested.values()].filter(({ failure }) => failure !== undefined);
    const ids = document_ids ?? failed.slice(0, mostDocuments).map(({ document_id }) => document_id);
    for (const id of ids) testedDocument(findings, id);
    const heard = (done: number) => tell({ message: triesAnother, done, total: ids.length });
    const { tested, succeeded, failed: stillFailed, categories } = await trial.dryRun(other, ids, signal, heard);
    const failed_before = failed.filter(({ document_id }) => ids.includes(document_id)).length;
    findings.alternatives.push({ pipeline: other, tested, failed_before, failed: stillFailed });
    if (findings.alternatives.length > mostAlternatives) findings.alternatives.shift();
    return { tested, succeeded, failed: stillFailed, categories };
  },
});
