import { z } from 'zod';
import { pipelineValidatorId, validatePipeline } from '../../sub-agents/pipeline-validator/validate-pipeline.ts';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const spawnPipelineValidator = defineTool({
  name: 'spawn_pipeline_validator',
  description:
    'Has a sub-agent try the pipeline that was built, on a sample of the source, without writing anything: what came through, what failed and why, and what would help. Takes a while. Build the pipeline in an answer before.',
  effect: 'read_only',
  runsSideBySide: true,
  parameters: z.strictObject({ focus: z.string().max(1000).default('') }),
  summarize: () => 'Validate the pipeline',
  execute: async ({ services: { subAgents }, signal }: ToolContext<PipelineAgentServices>, { focus }) => {
    const { trial, model, timeoutMs } = subAgents;
    return await subAgents.told(pipelineValidatorId, (tell) =>
      validatePipeline(trial, { model, timeoutMs, focus, signal, tell }),
    );
  },
});
