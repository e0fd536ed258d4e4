import { expect, it } from 'vitest';
import { z } from 'zod';
import { createToolset } from './toolset.ts';
import { defineTool } from './tool.ts';

const tool = defineTool({
  name: 'read_note',
  description: 'Reads a note.',
  effect: 'read_only',
  parameters: z.object({ page: z.number().int().default(1).describe('Counts from 1.') }),
  execute: async () => null,
});

it('describes its tools to the model as the model has to write them', () => {
  const { definitions } = createToolset([tool]);
  expect(definitions).toEqual([
    {
      type: 'function',
      function: {
        name: 'read_note',
        description: 'Reads a note.',
        parameters: {
          type: 'object',
          properties: {
            page: {
              default: 1,
              description: 'Counts from 1.',
              type: 'integer',
            },
          },
          additionalProperties: false,
        },
      },
    },
  ]);
});

it('refuses two tools of one name', () => {
  expect(() => createToolset([tool, tool])).toThrow(/Two tools are called read_note/);
});
