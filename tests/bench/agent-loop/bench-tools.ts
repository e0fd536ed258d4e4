import { createToolset, defineTool, type ToolContext } from '@docwright/agent-core';
import { z } from 'zod';

/** 28 tools of the size of the document agent's; each result has about a kilobyte. */

const parameters = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{24}$/i)
    .describe('The id of what is asked for, 24 hex digits.'),
  name: z.string().max(200).optional().describe('Keeps those whose name contains this, whatever the case.'),
  limit: z.number().int().min(1).max(100).default(10).describe('How many to list at most.'),
});

export type BenchArguments = z.infer<typeof parameters>;

const fields = Array.from({ length: 12 }, (_, at) => ({
  field: `field_${at}`,
  type: 'string',
  description: 'A value of the page.',
}));

export function answerOf({ id, limit }: BenchArguments): unknown {
  return { id, limit, total_count: fields.length, fields };
}

export const benchTools = createToolset<null>(
  Array.from({ length: 28 }, (_, at) =>
    defineTool({
      name: `tool_${at}`,
      description:
        'Gives what belongs to an id: its revision, its name, and the fields that it has, each with its type.',
      effect: 'read',
      parameters,
      execute: async (_: ToolContext<null>, args) => answerOf(args),
    }),
  ),
);
