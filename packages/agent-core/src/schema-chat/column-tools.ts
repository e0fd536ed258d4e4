import {
  DomainError,
  addColumnArguments,
  editColumnArguments,
  removeColumnArguments,
  setColumnsArguments,
  type Column,
} from '@docwright/contract';
import { newCallId } from '../tool/call-id.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { problemOfColumn, sameName } from './column-rules.ts';
import type { SchemaChatServices } from './services.ts';

const maxColumns = 200;

export const setColumns = defineTool({
  name: 'set_columns',
  description:
    'Adds, changes and removes many columns at once: entries without columnId are added (they need a name), those with one are changed by what is given, `remove` lists ids. All of it or nothing. Waits for the person’s approval. The fields are those of add_column.',
  effect: 'read_write',
  argumentRoles: { columns: 'content', remove: 'target' },
  parameters: setColumnsArguments,
  summarize: ({ columns, remove }) => {
    const added = columns.filter(({ columnId }) => columnId === undefined);
    const changed = columns.length - added.length;
    const parts = [
      ...(added.length === 0 ? [] : [`add ${added.map(({ name }) => `“${name}”`).join(', ')}`]),
      ...(changed === 0 ? [] : [`change ${changed}`]),
      ...(remove.length === 0 ? [] : [`remove ${remove.length}`]),
    ];
    return parts.length === 0 ? 'Change no column' : `Columns: ${parts.join('; ')}`;
  },
  execute: async (
    { services: { project, problemOfPattern } }: ToolContext<SchemaChatServices>,
    { columns, remove },
  ) => {
    if (columns.length + remove.length === 0) {
      throw new DomainError('invalid', 'nothing_to_change', 'Name the columns to add, change or remove.');
    }
    const gone = new Set(remove.map((id) => findColumn(project.columns, id).id));
    let next = project.columns.filter(({ id }) => !gone.has(id));
    for (const { columnId, ...given } of columns) {
      const before = columnId === undefined ? undefined : findColumn(next, columnId);
      const column = { ...(before ?? { id: newCallId(), ...noDetails }), ...withoutUndefined(given) };
      if (column.name === '') throw new DomainError('invalid', 'name_missing', 'A new column needs a name.');
      if (column.name !== before?.name) requireFreeName(next, column.name, before);
      requireUsable(problemOfColumn(column, problemOfPattern), column.name);
      next = before ? next.map((each) => (each === before ? column : each)) : [...next, column];
    }
    if (next.length > maxColumns) {
      throw new DomainError('invalid', 'too_many_columns', `A schema has at most ${maxColumns} columns.`);
    }
    project.columns = next;
    return { columns: next.map(({ id, name, type }) => ({ id, name, type })) };
  },
});

const noDetails: Omit<Column, 'id'> = { name: '', type: 'text', description: '', allowedValues: '', regex: '' };

type Given = { [Field in keyof Column]?: Column[Field] | undefined };

function withoutUndefined(given: Given): Partial<Column> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const addColumn = defineTool({
  name: 'add_column',
  description:
    'Adds a column: one value that is taken from each document, or from each row in multi row mode. Waits for the person’s approval. The id is given by the server. `description` says to the extracting model where the value stands and in which form; `allowedValues` is a comma separated list (a value with a comma stands in double quotes) or empty; `regex` is what a text must match, or empty.',
  effect: 'read_write',
  argumentRoles: {
    name: 'content',
    type: 'content',
    description: 'content',
    allowedValues: 'content',
    regex: 'content',
  },
  parameters: addColumnArguments,
  summarize: ({ name, type }) => `Add the column “${name}” (${type})`,
  execute: async ({ services: { project, problemOfPattern } }: ToolContext<SchemaChatServices>, details) => {
    if (project.columns.length >= maxColumns) {
      throw new DomainError('invalid', 'too_many_columns', `A schema has at most ${maxColumns} columns.`);
    }
    requireFreeName(project.columns, details.name);
    requireUsable(problemOfColumn(details, problemOfPattern));
    const column: Column = { id: newCallId(), ...details };
    project.columns = [...project.columns, column];
    return { added: column };
  },
});

export const editColumn = defineTool({
  name: 'edit_column',
  description:
    'Changes a column: `columnId` is its id as the schema shows it, `updates` holds only what changes. Waits for the person’s approval. An empty text takes allowedValues or regex away. A column’s id cannot be changed.',
  effect: 'read_write',
  argumentRoles: { columnId: 'target', updates: 'content' },
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

export const removeColumn = defineTool({
  name: 'remove_column',
  description: 'Takes a column out of the schema, by its id. Waits for the person’s approval.',
  effect: 'read_write',
  argumentRoles: { columnId: 'target' },
  parameters: removeColumnArguments,
  summarize: ({ columnId }) => `Remove the column ${columnId}`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { columnId }) => {
    const column = findColumn(project.columns, columnId);
    project.columns = project.columns.filter((each) => each !== column);
    return { removed: { id: column.id, name: column.name } };
  },
});

export function findColumn(columns: readonly Column[], id: string): Column {
  const found = columns.find((column) => column.id === id);
  if (found) return found;
  const known = columns.slice(0, 50).map((column) => `${column.id} (${column.name})`);
  throw new DomainError(
    'not_found',
    'column_not_found',
    `No column has the id ${id}. ${known.length === 0 ? 'There are no columns.' : `There are: ${known.join(', ')}.`}`,
  );
}

/** Throws `column_exists` where a column but `self` has the name, ignoring case. */
export function requireFreeName(columns: readonly Column[], name: string, self?: Column): void {
  const taken = columns.find((column) => column.id !== self?.id && sameName(column.name, name));
  if (taken) {
    throw new DomainError(
      'conflict',
      'column_exists',
      `There is a column "${taken.name}" already (id ${taken.id}). Choose another name, or edit that one.`,
    );
  }
}

export function requireUsable(problem: string | undefined, name?: string): void {
  if (problem === undefined) return;
  throw new DomainError('invalid', 'invalid_column', name === undefined ? problem : `“${name}”: ${problem}`);
}
