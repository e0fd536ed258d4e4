import { addColumnArguments, DomainError, type Column } from '@docwright/contract';
import { newCallId } from '../../loop/call-id.ts';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { problemOfColumn } from '../column-rules.ts';
import type { SchemaChatServices } from '../services.ts';
import { requireFreeName, requireUsable } from './find-column.ts';

const mostColumns = 200;

export const addColumn = defineTool({
  name: 'add_column',
  description:
    'Adds a column: one value that is taken from each document, or from each row in multi row mode. Waits for the person’s approval. The id is given by the server. `description` says to the extracting model where the value stands and in which form; `allowedValues` is a comma separated list (a value with a comma stands in double quotes) or empty; `regex` is what a text must match, or empty.',
  effect: 'read_write',
  parameters: addColumnArguments,
  summarize: ({ name, type }) => `Add the column “${name}” (${type})`,
  execute: async ({ services: { project, problemOfPattern } }: ToolContext<SchemaChatServices>, details) => {
    if (project.columns.length >= mostColumns) {
      throw new DomainError('invalid', 'too_many_columns', `A schema has at most ${mostColumns} columns.`);
    }
    requireFreeName(project.columns, details.name);
    requireUsable(problemOfColumn(details, problemOfPattern));
    const column: Column = { id: newCallId(), ...details };
    project.columns = [...project.columns, column];
    return { added: column };
  },
});
