import type { RuleInput } from '../conversation/conversation.ts';
import type { FieldEdit } from '../conversation/field-edits.ts';
import { bold } from '../conversation/markdown.ts';
import type { Batch } from '../conversation/plan.ts';
import { wordsOf } from '../page/fold.ts';
import type { Call } from '../protocol/answer.ts';
import type { ColumnRequest } from './column-requests.ts';
import { currentColumns, currentLists, findColumn, type KnownColumn } from './known-columns.ts';
import { columnCall } from './new-column.ts';

type EditRequest = Extract<ColumnRequest, { kind: 'edits' | 'type' | 'values' }>;

/** The calls for changes to columns, or a message when none of the named columns exists. */
export function editColumns(wanted: EditRequest, conversation: RuleInput): Batch | string {
  const lists = currentLists(conversation);
  const columns = [...currentColumns(conversation), ...lists.flatMap((list) => list.columns)];
  const words = ` ${wordsOf(conversation.request)} `.replace(/ (?:the|list)(?= )/gu, '');
  const table = lists.find(({ name }) => ['to', 'into'].some((to) => words.includes(` ${to} ${wordsOf(name)} `)))?.name;
  const results =
    wanted.kind === 'edits'
      ? wanted.edits.map((edit) => callForEdit(edit, columns, table))
      : [callForUpdate(wanted, columns)];
  const calls = results.filter((result) => typeof result !== 'string');
  const notFound = results.filter((result) => typeof result === 'string');
  if (calls.length === 0) return notFound.join(' ');
  return { text: ['I change it as you say.', ...notFound].join(' '), calls };
}

function callForEdit(edit: FieldEdit, columns: readonly KnownColumn[], table: string | undefined): Call | string {
  if (edit.kind === 'add') {
    const field = edit.field.replace(/ (?:to|into) (?:the )?(?:list )?(.+)$/iu, (ending, list: string) =>
      table !== undefined && wordsOf(list) === wordsOf(table) ? '' : ending,
    );
    const call = columnCall(field, edit.type);
    return table === undefined ? call : { ...call, arguments: { ...call.arguments, table } };
  }
  const column = findColumn(edit.field, columns);
  if (!column) return describeNotFound(edit.field, columns);
  if (edit.kind === 'drop') return { name: 'remove_column', arguments: { columnId: column.id } };
  return { name: 'edit_column', arguments: { columnId: column.id, updates: { name: edit.to } } };
}

function callForUpdate(
  wanted: Exclude<EditRequest, { kind: 'edits' }>,
  columns: readonly KnownColumn[],
): Call | string {
  const column = findColumn(wanted.column, columns);
  if (!column) return describeNotFound(wanted.column, columns);
  const updates =
    wanted.kind === 'type' ? { type: wanted.type } : { allowedValues: wanted.values.map(quoted).join(', ') };
  return { name: 'edit_column', arguments: { columnId: column.id, updates } };
}

/** A value as a list of allowed values writes it, which is CSV. */
function quoted(value: string): string {
  return /["\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function describeNotFound(name: string, columns: readonly KnownColumn[]): string {
  const existing = columns.map((column) => bold(column.name)).join(', ');
  return `I find no column called ${bold(name)}. ${existing === '' ? 'There are none yet.' : `There are: ${existing}.`}`;
}
