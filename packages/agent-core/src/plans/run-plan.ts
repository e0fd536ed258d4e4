import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type Tool } from '../tool/tool.ts';

export const runPlanName = 'run_plan';

/** The tool that calls steps of the approved plan by their ids. The loop replaces its calls by the calls of the steps. */
export function createRunPlan<Services>(): Tool<Services> {
  return defineTool({
    name: runPlanName,
    description:
      'Runs a step of the approved plan by its id; without an id, every step that is ready. The approved arguments are filled in.',
    effect: 'read',
    isFurther: true,
    runsPlan: true,
    parameters: z.object({
      step_id: z.string().max(100).optional().describe('The id of the step.'),
      values: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('The arguments that the plan left for you to write.'),
    }),
    summarize: ({ step_id }) => (step_id === undefined ? 'Run the plan' : `Run the step “${step_id}” of the plan`),
    execute: async () => {
      throw new DomainError('invalid', 'invalid_plan', 'No plan is approved in this turn.');
    },
  });
}
