import type { Column, FeatureFlags, PendingTool } from '@docwright/contract';
import { isRecord, parseJson, recordsIn } from '../../../shared/http/json-value.ts';
import { columnFields, columnTypes, emptyColumn, type ColumnField } from './column-labels.ts';

type NewColumn = Pick<Column, ColumnField>;

/** Columns of lists of objects, by the name of the list. */
type Tables = Readonly<Record<string, Column[]>>;

/** A change of one column. */
type ColumnProposal = Extract<SchemaProposal, { kind: 'add' | 'edit' | 'remove' }>;

/** The change that a call proposes. */
export type SchemaProposal =
  /** `table` is the name of the list that gets the column. */
  | { kind: 'add'; column: NewColumn; table: string | undefined }
  | { kind: 'edit'; columnId: string; updates: Partial<NewColumn> }
  | { kind: 'remove'; columnId: string }
  | { kind: 'description'; description: string }
  | { kind: 'multiRow'; enabled: boolean }
  | { kind: 'flags'; flags: FeatureFlags }
  /** Several changes that are decided together. */
  | { kind: 'set'; changes: ColumnProposal[] }
  /** Invalid arguments; the server reports why. */
  | { kind: 'unreadable' };

export function proposalOf({ function: { name, arguments: text } }: PendingTool): SchemaProposal {
  const value = parseJson(text);
  const args = isRecord(value) ? value : {};
  const { columnId, updates, description, enabled, flags } = args;
  if (name === 'add_column' && typeof args['name'] === 'string') {
    return { kind: 'add', column: { ...emptyColumn, name: args['name'], ...detailsIn(args) }, table: tableIn(args) };
  }
  if (name === 'set_columns') return { kind: 'set', changes: changesIn(args) };
  if (name === 'edit_column' && typeof columnId === 'string' && isRecord(updates)) {
    return { kind: 'edit', columnId, updates: detailsIn(updates) };
  }
  if (name === 'remove_column' && typeof columnId === 'string') return { kind: 'remove', columnId };
  if (name === 'update_project_description' && typeof description === 'string') {
    return { kind: 'description', description };
  }
  if (name === 'set_multi_row_mode' && typeof enabled === 'boolean') return { kind: 'multiRow', enabled };
  if (name === 'set_feature_flags' && isRecord(flags)) return { kind: 'flags', flags: flagsIn(flags) };
  return { kind: 'unreadable' };
}

const tableIn = ({ table }: Record<string, unknown>) => (typeof table === 'string' ? table : undefined);

function detailsIn(args: Record<string, unknown>): Partial<NewColumn> {
  const texts = columnFields.flatMap((field) => {
    const value = args[field];
    if (typeof value !== 'string') return [];
    return field !== 'type' || columnTypes.some((type) => type.value === value) ? [[field, value]] : [];
  });
  return Object.fromEntries(texts) as Partial<NewColumn>;
}

function changesIn({ columns, remove }: Record<string, unknown>): ColumnProposal[] {
  const removed = Array.isArray(remove) ? remove.filter((id) => typeof id === 'string') : [];
  return [
    ...recordsIn(columns).map(({ columnId, ...details }): ColumnProposal =>
      typeof columnId === 'string'
        ? { kind: 'edit', columnId, updates: detailsIn(details) }
        : { kind: 'add', column: { ...emptyColumn, ...detailsIn(details) }, table: tableIn(details) },
    ),
    ...removed.map((columnId): ColumnProposal => ({ kind: 'remove', columnId })),
  ];
}

/** The changes of columns that a call proposes, one per row of the table. */
function columnProposals(call: PendingTool): ColumnProposal[] {
  const proposal = proposalOf(call);
  if (proposal.kind === 'set') return proposal.changes;
  return proposal.kind === 'add' || proposal.kind === 'edit' || proposal.kind === 'remove' ? [proposal] : [];
}

const isFlag = (value: unknown) => ['boolean', 'number', 'string'].includes(typeof value);
const flagsIn = (flags: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => isFlag(value))) as FeatureFlags;

/** The id of the column that a call changes or removes. */
export function columnOf(call: PendingTool): string | undefined {
  const proposal = proposalOf(call);
  return proposal.kind === 'edit' || proposal.kind === 'remove' ? proposal.columnId : undefined;
}

/** A row of the table: a column, a proposed change of a column, or a proposed column. */
interface TableRow<Call extends PendingTool> {
  key: string;
  /** Undefined for a proposed column. */
  column: Column | undefined;
  call: Call | undefined;
  proposal: SchemaProposal | undefined;
}

/** The list that a change belongs to; undefined for the schema's own columns and for unknown columns. */
function tableOf(proposal: ColumnProposal, tables: Tables): string | undefined {
  if (proposal.kind === 'add')
    return proposal.table !== undefined && proposal.table in tables ? proposal.table : undefined;
  return Object.keys(tables).find((name) => tables[name]?.some(({ id }) => id === proposal.columnId));
}

/** The list that the first change of a call belongs to. */
export function tableOfCall(call: PendingTool, tables: Tables): string | undefined {
  const [first] = columnProposals(call);
  return first && tableOf(first, tables);
}

/** The rows of a table: proposed changes at their column, proposed columns at the end. `table` names the list, if any. */
export function tableRows<Call extends PendingTool>(
  columns: Column[],
  calls: Call[],
  { table, tables = {} }: { table?: string | undefined; tables?: Tables | undefined } = {},
): TableRow<Call>[] {
  const proposed = calls.flatMap((call) =>
    columnProposals(call).flatMap((proposal, index) =>
      tableOf(proposal, tables) === table
        ? [{ call, proposal, id: index === 0 ? call.id : `${call.id} ${index}` }]
        : [],
    ),
  );
  const targetOf = (proposal: ColumnProposal) => (proposal.kind === 'add' ? undefined : proposal.columnId);
  const columnIds = new Set(columns.map(({ id }) => id));
  const placed = columns.flatMap((column): TableRow<Call>[] => {
    const changes = proposed.filter(({ proposal }) => targetOf(proposal) === column.id);
    if (changes.length === 0) return [{ key: column.id, column, call: undefined, proposal: undefined }];
    // A second change of the same column follows the first.
    return changes.map(({ id, ...change }, index) => ({ key: index === 0 ? column.id : id, column, ...change }));
  });
  const unplaced = proposed.filter(({ proposal }) => !columnIds.has(targetOf(proposal) ?? ''));
  return [...placed, ...unplaced.map(({ id, ...change }) => ({ key: id, column: undefined, ...change }))];
}
