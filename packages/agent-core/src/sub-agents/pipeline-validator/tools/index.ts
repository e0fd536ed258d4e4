import { createToolset } from '../../../tool/toolset.ts';
import type { PipelineValidatorServices } from '../findings.ts';
import { compareParserOutput } from './compare-parser-output.ts';
import { getFailureDetails } from './get-failure-details.ts';
import { inspectChunks } from './inspect-chunks.ts';
import { runDryRun } from './run-dry-run.ts';
import { tryAlternativeConfig } from './try-alternative-config.ts';

/** All that the pipeline validator can do. */
export const pipelineValidatorTools = createToolset<PipelineValidatorServices>([
  runDryRun,
  getFailureDetails,
  tryAlternativeConfig,
  compareParserOutput,
  inspectChunks,
]);
