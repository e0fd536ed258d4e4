import { createToolset } from '../../tool/toolset.ts';
import type { PipelineAgentServices } from '../services.ts';
import { applyPipeline } from './apply-pipeline.ts';
import { buildPipeline } from './build-pipeline.ts';
import { getPipelineState } from './get-pipeline-state.ts';
import { getPluginDetails } from './get-plugin-details.ts';
import { listPlugins } from './list-plugins.ts';
import { listTemplates } from './list-templates.ts';
import { spawnPipelineValidator } from './spawn-pipeline-validator.ts';
import { spawnSourceAnalyzer } from './spawn-source-analyzer.ts';

/** All that the pipeline agent can do; a tool that is not here does not exist. */
export const pipelineAgentTools = createToolset<PipelineAgentServices>([
  listPlugins,
  getPluginDetails,
  listTemplates,
  getPipelineState,
  buildPipeline,
  spawnSourceAnalyzer,
  spawnPipelineValidator,
  applyPipeline,
]);
