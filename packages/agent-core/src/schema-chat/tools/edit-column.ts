import { DomainError, editColumnArguments, type Column } from '@docwright/contract';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { problemOfColumn } from '../column-rules.ts';
import type { SchemaChatServices } from '../services.ts';
import { findColumn, requireFreeName, requireUsable } from './find-column.ts';

export const editColumn = defineTool({
  name: 'edit_column',
  description:
    'Changes a column: `columnId` is its id as the schema shows it, `updates` holds only what changes. Waits for the person’s approval. An empty text takes allowedValues or regex away. A column’s id cannot be changed.',
  effect: 'read_write',
  parameters: editColumnArguments,
  summarize: ({ columnId, updates }) => `Change ${Object.keys(updates).join(', ')} of the column ${columnId}`,
  execute: async (
    { services: { project, problemOfPattern } }: ToolContext<SchemaChatServices>,
    { columnId, updates },
  ) => {
    const before = findColumn(project.columns, columnId);
    if (Object.keys(updates).length === 0) {
      throw new DomainError('invalid', 'nothing_to_change', 'The updates are empty. Name what changes.');
    }
    const { name, type, description, allowedValues, regex } = updates;
    const column: Column = {
      ...before,
      name: name ?? before.name,
      type: type ?? before.type,
      description: description ?? before.description,
      allowedValues: allowedValues ?? before.allowedValues,
      regex: regex ?? before.regex,
    };
    if (name !== undefined) requireFreeName(project.columns, name, before);
    requireUsable(problemOfColumn(column, problemOfPattern));
    project.columns = project.columns.map((each) => (each === before ? column : each));
    return { changed: column };
  },
});
