import { setMultiRowModeArguments } from '@docwright/contract';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { SchemaChatServices } from '../services.ts';

export const setMultiRowMode = defineTool({
  name: 'set_multi_row_mode',
  description:
    'Says whether a document holds many rows of the columns (a statement, a price list) or one value of each. Waits for the person’s approval.',
  effect: 'read_write',
  parameters: setMultiRowModeArguments,
  summarize: ({ enabled }) => (enabled ? 'Take many rows from each document' : 'Take one row from each document'),
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { enabled }) => {
    project.multiRow = enabled;
    return { multiRowExtraction: enabled };
  },
});
