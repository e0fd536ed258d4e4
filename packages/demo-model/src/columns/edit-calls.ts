import type { Call } from '../call.ts';
import { bold } from '../plan/plain-text.ts';
import type { ColumnRequest } from './column-requests.ts';
import { columnNamed, type KnownColumn } from './known-columns.ts';
import { columnCall } from './new-column.ts';

/** The calls for changes to columns, or a message when no such column exists. */
export function editCalls(
  wanted: Extract<ColumnRequest, { kind: 'edits' | 'type' | 'values' }>,
  columns: readonly KnownColumn[],
): { say: string; calls: Call[] } | string {
  const prepared =
    wanted.kind === 'edits' ? wanted.edits.map((edit) => callFor(edit, columns)) : [updateFor(wanted, columns)];
  const calls = prepared.filter((each) => typeof each !== 'string');
  const unknown = prepared.filter((each) => typeof each === 'string');
  if (calls.length === 0) return unknown.join(' ');
  return { say: ['I change it as you say.', ...unknown].join(' '), calls };
}

function callFor(
  edit: Extract<ColumnRequest, { kind: 'edits' }>['edits'][number],
  columns: readonly KnownColumn[],
): Call | string {
  if (edit.kind === 'add') return columnCall(edit.field, edit.type);
  const column = columnNamed(edit.field, columns);
  if (!column) return notFound(edit.field, columns);
  if (edit.kind === 'drop') return { name: 'remove_column', arguments: { columnId: column.id } };
  return { name: 'edit_column', arguments: { columnId: column.id, updates: { name: edit.to } } };
}

function updateFor(
  wanted: Extract<ColumnRequest, { kind: 'type' | 'values' }>,
  columns: readonly KnownColumn[],
): Call | string {
  const column = columnNamed(wanted.column, columns);
  if (!column) return notFound(wanted.column, columns);
  const updates =
    wanted.kind === 'type' ? { type: wanted.type } : { allowedValues: wanted.values.map(quoted).join(', ') };
  return { name: 'edit_column', arguments: { columnId: column.id, updates } };
}

function quoted(value: string): string {
  return /["\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function notFound(name: string, columns: readonly KnownColumn[]): string {
  const there = columns.map((column) => bold(column.name)).join(', ');
  return `I find no column called ${bold(name)}. ${there === '' ? 'There are none yet.' : `There are: ${there}.`}`;
}
