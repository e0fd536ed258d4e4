import { removeColumnArguments } from '@docwright/contract';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { SchemaChatServices } from '../services.ts';
import { findColumn } from './find-column.ts';

export const removeColumn = defineTool({
  name: 'remove_column',
  description: 'Takes a column out of the schema, by its id. Waits for the person’s approval.',
  effect: 'read_write',
  parameters: removeColumnArguments,
  summarize: ({ columnId }) => `Remove the column ${columnId}`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { columnId }) => {
    const column = findColumn(project.columns, columnId);
    project.columns = project.columns.filter((each) => each !== column);
    return { removed: { id: column.id, name: column.name } };
  },
});
