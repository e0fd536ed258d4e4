import type { Column, FeatureFlags, PendingTool } from '@docwright/contract';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { columnFields, columnTypes, type ColumnField } from './column-labels.ts';

export type NewColumn = Pick<Column, ColumnField>;

/** What a call would do, in the terms of the page. */
export type Proposal =
  | { kind: 'add'; column: NewColumn }
  | { kind: 'edit'; columnId: string; updates: Partial<NewColumn> }
  | { kind: 'remove'; columnId: string }
  | { kind: 'description'; description: string }
  | { kind: 'multiRow'; enabled: boolean }
  | { kind: 'flags'; flags: FeatureFlags }
  /** Arguments that the tool does not take; the server says why. */
  | { kind: 'unreadable' };

export function proposalOf({ function: { name, arguments: text } }: PendingTool): Proposal {
  const given = parseJson(text);
  const args = isRecord(given) ? given : {};
  const { columnId, updates, description, enabled, flags } = args;
  if (name === 'add_column' && typeof args['name'] === 'string') {
    return { kind: 'add', column: { ...noDetails, name: args['name'], ...detailsIn(args) } };
  }
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

const noDetails: NewColumn = { name: '', type: 'text', description: '', allowedValues: '', regex: '' };

function detailsIn(args: Record<string, unknown>): Partial<NewColumn> {
  const texts = columnFields.flatMap((field) => {
    const value = args[field];
    if (typeof value !== 'string') return [];
    return field !== 'type' || columnTypes.some((type) => type.value === value) ? [[field, value]] : [];
  });
  return Object.fromEntries(texts) as Partial<NewColumn>;
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

/** The table as it stands, each proposed change in its place: at its column, or behind the last for a new one. */
export function tableRows<Call extends PendingTool>(columns: Column[], calls: Call[]): TableRow<Call>[] {
  const proposed = calls
    .map((call) => ({ call, proposal: proposalOf(call) }))
    .filter(({ proposal }) => proposal.kind === 'add' || proposal.kind === 'edit' || proposal.kind === 'remove');
  const known = new Set(columns.map(({ id }) => id));
  const placed = columns.flatMap((column): TableRow<Call>[] => {
    const own = proposed.filter(({ call }) => columnOf(call) === column.id);
    if (own.length === 0) return [{ key: column.id, column, call: undefined, proposal: undefined }];
    // A second change to the same column stands right below the first.
    return own.map((each, index) => ({ key: index === 0 ? column.id : each.call.id, column, ...each }));
  });
  const others = proposed.filter(({ call }) => !known.has(columnOf(call) ?? ''));
  return [...placed, ...others.map((each) => ({ key: each.call.id, column: undefined, ...each }))];
}
