import type { Column, FeatureFlags, PendingTool } from '@docwright/contract';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { columnFields, columnTypes, type ColumnField } from './column-labels.ts';

type NewColumn = Pick<Column, ColumnField>;

/** By name: the columns of lists, which are tables of their own. */
export type Tables = Readonly<Record<string, Column[]>>;

/** A change of one column. */
type ColumnProposal = Extract<Proposal, { kind: 'add' | 'edit' | 'remove' }>;

/** What a call would do, in the terms of the page. */
export type Proposal =
  /** `table` is the list whose rows get the column. */
  | { kind: 'add'; column: NewColumn; table: string | undefined }
  | { kind: 'edit'; columnId: string; updates: Partial<NewColumn> }
  | { kind: 'remove'; columnId: string }
  | { kind: 'description'; description: string }
  | { kind: 'multiRow'; enabled: boolean }
  | { kind: 'flags'; flags: FeatureFlags }
  /** Several changes of columns that are decided together. */
  | { kind: 'set'; changes: ColumnProposal[] }
  /** Arguments that the tool does not take; the server says why. */
  | { kind: 'unreadable' };

export function proposalOf({ function: { name, arguments: text } }: PendingTool): Proposal {
  const given = parseJson(text);
  const args = isRecord(given) ? given : {};
  const { columnId, updates, description, enabled, flags } = args;
  if (name === 'add_column' && typeof args['name'] === 'string') {
    return { kind: 'add', column: { ...noDetails, name: args['name'], ...detailsIn(args) }, table: tableIn(args) };
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

const noDetails: NewColumn = { name: '', type: 'text', description: '', allowedValues: '', regex: '' };

function detailsIn(args: Record<string, unknown>): Partial<NewColumn> {
  const texts = columnFields.flatMap((field) => {
    const value = args[field];
    if (typeof value !== 'string') return [];
    return field !== 'type' || columnTypes.some((type) => type.value === value) ? [[field, value]] : [];
  });
  return Object.fromEntries(texts) as Partial<NewColumn>;
}

function changesIn({ columns, remove }: Record<string, unknown>): ColumnProposal[] {
  const set = Array.isArray(columns) ? columns.filter(isRecord) : [];
  const gone = Array.isArray(remove) ? remove.filter((id) => typeof id === 'string') : [];
  return [
    ...set.map(({ columnId, ...details }): ColumnProposal =>
      typeof columnId === 'string'
        ? { kind: 'edit', columnId, updates: detailsIn(details) }
        : { kind: 'add', column: { ...noDetails, ...detailsIn(details) }, table: tableIn(details) },
    ),
    ...gone.map((columnId): ColumnProposal => ({ kind: 'remove', columnId })),
  ];
}

/** The changes of columns that a call would make, one a line of the table. */
function columnProposals(call: PendingTool): ColumnProposal[] {
  const proposal = proposalOf(call);
  if (proposal.kind === 'set') return proposal.changes;
  return proposal.kind === 'add' || proposal.kind === 'edit' || proposal.kind === 'remove' ? [proposal] : [];
}

const isFlag = (value: unknown) => ['boolean', 'number', 'string'].includes(typeof value);
const flagsIn = (flags: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => isFlag(value))) as FeatureFlags;

/** The column that a call is about. */
export function columnOf(call: PendingTool): string | undefined {
  const proposal = proposalOf(call);
  return proposal.kind === 'edit' || proposal.kind === 'remove' ? proposal.columnId : undefined;
}

/** One line of the table: a column with what is proposed for it, or a column that is proposed. */
export interface TableRow<Call extends PendingTool> {
  key: string;
  /** Undefined for one that does not exist (yet). */
  column: Column | undefined;
  call: Call | undefined;
  proposal: Proposal | undefined;
}

/** The list that a change is of; undefined for the schema's own columns, and for what is nowhere. */
function tableOf(proposal: ColumnProposal, tables: Tables): string | undefined {
  if (proposal.kind === 'add')
    return proposal.table !== undefined && proposal.table in tables ? proposal.table : undefined;
  return Object.keys(tables).find((name) => tables[name]?.some(({ id }) => id === proposal.columnId));
}

/** The list that a call changes first. */
export function tableOfCall(call: PendingTool, tables: Tables): string | undefined {
  const [first] = columnProposals(call);
  return first && tableOf(first, tables);
}

/**
 * The table as it stands, each proposed change in its place: at its column, or behind the last for a new one. `table` is the
 * list that the columns are of.
 */
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
  const known = new Set(columns.map(({ id }) => id));
  const placed = columns.flatMap((column): TableRow<Call>[] => {
    const own = proposed.filter(({ proposal }) => targetOf(proposal) === column.id);
    if (own.length === 0) return [{ key: column.id, column, call: undefined, proposal: undefined }];
    // A second change to the same column stands right below the first.
    return own.map(({ id, ...each }, index) => ({ key: index === 0 ? column.id : id, column, ...each }));
  });
  const others = proposed.filter(({ proposal }) => !known.has(targetOf(proposal) ?? ''));
  return [...placed, ...others.map(({ id, ...each }) => ({ key: id, column: undefined, ...each }))];
}
