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
import { problemOfColumn, isSameName } from './column-rules.ts';
import type { SchemaChatServices, SchemaProject } from './services.ts';

const maxColumns = 200;

/** The columns of the schema itself, or of one of its lists. */
interface Place {
  table: string | undefined;
  columns: readonly Column[];
}

const placesOf = ({ columns, tables }: SchemaProject): Place[] => [
  { table: undefined, columns },
  ...tables.map((table) => ({ table: table.name, columns: table.columns })),
];

/** A copy of the places with new columns in one of them. */
function withColumns(places: readonly Place[], { table }: Place, columns: readonly Column[]): Place[] {
  if (columns.length > maxColumns) {
    throw new DomainError('invalid', 'too_many_columns', `A schema has at most ${maxColumns} columns.`);
  }
  return places.map((each) => (each.table === table ? { table, columns } : each));
}

function storeColumns(project: SchemaProject, places: readonly Place[]): void {
  const empty = places.find(({ table, columns }) => table !== undefined && columns.length === 0);
  if (empty) {
    const message = `The list "${empty.table}" needs a column: a list of nothing reads nothing.`;
    throw new DomainError('invalid', 'last_column', message);
  }
  project.columns = places[0]?.columns ?? [];
  project.tables = places.flatMap(({ table, columns }) =>
    table === undefined ? [] : [{ name: table, columns: [...columns] }],
  );
}

export const setColumns = defineTool({
  name: 'set_columns',
  description:
    'Adds, changes and removes columns in one step; if one change fails, none is made. Entries without columnId are added and need a name; entries with columnId change only the given fields; `remove` lists ids. `allowedValues` is separated by commas (a value with a comma in double quotes); `regex` is a pattern that a text must match; an empty string removes either. A `table` that the schema does not have creates a list of that name.',
  effect: 'write',
  target: 'remove',
  argumentRoles: { columns: 'content' },
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
    let places = placesOf(project);
    for (const id of new Set(remove)) {
      const { place, column } = findColumn(places, id);
      places = withColumns(places, place, without(place, column));
    }
    for (const { columnId, table, ...given } of columns) {
      const found = columnId === undefined ? undefined : findColumn(places, columnId);
      const place = found?.place ?? placeOrNew(places, table);
      if (!places.some((each) => each.table === place.table)) places = [...places, place];
      if (table !== undefined && table !== place.table) {
        const message = 'A column stays in its list. Remove it there and add it here.';
        throw new DomainError('invalid', 'other_list', message);
      }
      const before = found?.column;
      const column = { ...(before ?? { id: newCallId(), ...noDetails }), ...withoutUndefined(given) };
      if (column.name === '') throw new DomainError('invalid', 'name_missing', 'A new column needs a name.');
      if (column.name !== before?.name) requireFreeName(place.columns, column.name, before);
      requireUsable(problemOfColumn(column, problemOfPattern), column.name);
      places = withColumns(places, place, before ? replaced(place, before, column) : [...place.columns, column]);
    }
    storeColumns(project, places);
    // The tail of the next request shows the columns with their ids.
    const lists = project.tables.map(({ name, columns: own }) => ({ name, columns: own.length }));
    return { columns: project.columns.length, ...(lists.length > 0 && { lists }) };
  },
});

const columnReference = ({ id, name, type }: Column) => ({ id, name, type });
const without = ({ columns }: Place, column: Column) => columns.filter((each) => each !== column);
const replaced = ({ columns }: Place, before: Column, column: Column) =>
  columns.map((each) => (each === before ? column : each));

const noDetails: Omit<Column, 'id'> = { name: '', type: 'text', description: '', allowedValues: '', regex: '' };

type Given = { [Field in keyof Column]?: Column[Field] | undefined };

function withoutUndefined(given: Given): Partial<Column> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const addColumn = defineTool({
  name: 'add_column',
  description:
    'Adds one column, with the fields of set_columns. With `table`, the name of a list, adds the column to the rows of that list.',
  effect: 'write',
  target: 'table',
  argumentRoles: {
    name: 'content',
    type: 'content',
    description: 'content',
    allowedValues: 'content',
    regex: 'content',
  },
  parameters: addColumnArguments,
  // A list that the schema lacks fails in any case: no user is asked about it.
  check: async ({ services: { project } }: ToolContext<SchemaChatServices>, { table }) => {
    placeNamed(placesOf(project), table);
  },
  summarize: ({ name, type, table }) =>
    `Add the column “${name}” (${type})${table === undefined ? '' : ` to the list “${table}”`}`,
  execute: async (
    { services: { project, problemOfPattern } }: ToolContext<SchemaChatServices>,
    { table, ...details },
  ) => {
    const places = placesOf(project);
    const place = placeNamed(places, table);
    requireFreeName(place.columns, details.name);
    requireUsable(problemOfColumn(details, problemOfPattern));
    const column: Column = { id: newCallId(), ...details };
    storeColumns(project, withColumns(places, place, [...place.columns, column]));
    return { added: column };
  },
});

export const editColumn = defineTool({
  name: 'edit_column',
  description: 'Changes one column. `updates` contains the fields of set_columns to change.',
  effect: 'write',
  target: 'columnId',
  argumentRoles: { updates: 'content' },
  parameters: editColumnArguments,
  summarize: ({ columnId, updates }) => `Change ${Object.keys(updates).join(', ')} of the column ${columnId}`,
  execute: async (
    { services: { project, problemOfPattern } }: ToolContext<SchemaChatServices>,
    { columnId, updates },
  ) => {
    const places = placesOf(project);
    const { place, column: before } = findColumn(places, columnId);
    if (Object.keys(updates).length === 0) {
      throw new DomainError('invalid', 'nothing_to_change', 'The updates are empty. Name what changes.');
    }
    const column: Column = { ...before, ...withoutUndefined(updates) };
    if (updates.name !== undefined) requireFreeName(place.columns, updates.name, before);
    requireUsable(problemOfColumn(column, problemOfPattern));
    storeColumns(project, withColumns(places, place, replaced(place, before, column)));
    return { changed: columnReference(column) };
  },
});

export const removeColumn = defineTool({
  name: 'remove_column',
  description: 'Removes one column by its id.',
  effect: 'delete',
  target: 'columnId',
  argumentRoles: {},
  parameters: removeColumnArguments,
  summarize: ({ columnId }) => `Remove the column ${columnId}`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { columnId }) => {
    const places = placesOf(project);
    const { place, column } = findColumn(places, columnId);
    storeColumns(project, withColumns(places, place, without(place, column)));
    return { removed: { id: column.id, name: column.name } };
  },
});

/** The list of that name; a new one, without columns, if there is none. */
function placeOrNew(places: readonly Place[], table: string | undefined): Place {
  const found = places.find((place) => place.table === table);
  if (found) return found;
  const columns = places[0]?.columns ?? [];
  const [taken] = [...columns, ...placesWithNames(places)].filter(({ name }) => isSameName(name, table ?? ''));
  if (taken) {
    const message = `There is a column or a list "${taken.name}" already. Choose another name for the list.`;
    throw new DomainError('conflict', 'column_exists', message);
  }
  return { table, columns: [] };
}

const placesWithNames = (places: readonly Place[]) =>
  places.flatMap(({ table }) => (table === undefined ? [] : [{ name: table }]));

/** Throws `list_not_found` if no list has the name. */
function placeNamed(places: readonly Place[], table: string | undefined): Place {
  const found = places.find((place) => place.table === table);
  if (found) return found;
  const known = places.flatMap((place) => (place.table === undefined ? [] : [`"${place.table}"`]));
  throw new DomainError(
    'not_found',
    'list_not_found',
    `There is no list "${table}". ${known.length === 0 ? 'The schema has no lists: leave table out, or create the list with set_columns.' : `There are: ${known.join(', ')}. set_columns creates another.`}`,
  );
}

function findColumn(places: readonly Place[], id: string): { place: Place; column: Column } {
  for (const place of places) {
    const column = place.columns.find((each) => each.id === id);
    if (column) return { place, column };
  }
  const known = places
    .flatMap(({ columns }) => columns)
    .slice(0, 50)
    .map((column) => `${column.id} (${column.name})`);
  throw new DomainError(
    'not_found',
    'column_not_found',
    `No column has the id ${id}. ${known.length === 0 ? 'There are no columns.' : `There are: ${known.join(', ')}.`}`,
  );
}

/** Throws `column_exists` if another column than `self` has the name, ignoring case. */
function requireFreeName(columns: readonly Column[], name: string, self?: Column): void {
  const taken = columns.find((column) => column.id !== self?.id && isSameName(column.name, name));
  if (taken) {
    throw new DomainError(
      'conflict',
      'column_exists',
      `There is a column "${taken.name}" already (id ${taken.id}). Choose another name, or edit that one.`,
    );
  }
}

function requireUsable(problem: string | undefined, name?: string): void {
  if (problem === undefined) return;
  throw new DomainError('invalid', 'invalid_column', name === undefined ? problem : `“${name}”: ${problem}`);
}
