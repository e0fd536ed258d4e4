import { formatWhere, parseWhere, type WhereCondition, type WhereOperator } from '@docwright/contract';
import { editableNumber, formatDay, parseNumber } from '../../../shared/formats/locale.ts';
import type { ShownColumn } from '../columns/result-columns.ts';

/** What a user chooses: an operator, or one that needs no value. */
export type ConditionChoice = WhereOperator | 'empty' | 'filled';

type Kind = ShownColumn['kind'];

const numbers: [ConditionChoice, string][] = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['>=', 'is at least'],
  ['<=', 'is at most'],
  ['>', 'is more than'],
  ['<', 'is less than'],
];
const dates: [ConditionChoice, string][] = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['>=', 'is on or after'],
  ['<=', 'is on or before'],
  ['>', 'is after'],
  ['<', 'is before'],
];
const empties: [ConditionChoice, string][] = [
  ['empty', 'is empty'],
  ['filled', 'is not empty'],
];
const choices: Record<Kind, [ConditionChoice, string][]> = {
  text: [['~', 'contains'], ['=', 'is'], ['!=', 'is not'], ...empties],
  number: [...numbers, ...empties],
  date: [...dates, ...empties],
  // A moment is never exactly a day.
  moment: dates.filter(([choice]) => choice === '>=' || choice === '<'),
  boolean: [['=', 'is'], ...empties],
};

/** The conditions that a kind of column offers, in words. */
export const conditionChoices = (kind: Kind): [ConditionChoice, string][] => choices[kind];

export const choiceOf = ({ op, value }: WhereCondition): ConditionChoice =>
  value === null ? (op === '=' ? 'empty' : 'filled') : op;

/** “Total is at least 1,000”. */
export function conditionWords(condition: WhereCondition, columns: readonly ShownColumn[]): string {
  const column = columns.find(({ path }) => path === condition.path);
  const kind = column?.kind ?? 'text';
  const choice = choiceOf(condition);
  const all = [...choices[kind], ...choices.text, ...numbers];
  const words = all.find(([known]) => known === choice)?.[1] ?? choice;
  const label = column?.label ?? condition.path;
  return condition.value === null ? `${label} ${words}` : `${label} ${words} ${valueWords(condition.value, kind)}`;
}

function valueWords(value: string, kind: Kind): string {
  if (kind === 'number') return Number.isFinite(Number(value)) ? Number(value).toLocaleString() : value;
  if (kind === 'date' || kind === 'moment') return formatDay(value.slice(0, 10));
  if (kind === 'boolean') return value === 'true' ? 'Yes' : 'No';
  return `“${value}”`;
}

/** The value as the form shows it. */
export const editableText = (value: string | null, kind: Kind): string =>
  value === null
    ? ''
    : kind === 'number' && value.trim() !== '' && Number.isFinite(Number(value))
      ? editableNumber(Number(value))
      : kind === 'moment'
        ? value.slice(0, 10)
        : value;

type Typed = { condition: WhereCondition } | { error: string };

/** The condition that a user typed, or what is wrong with its value. */
export function typedCondition({ path, kind }: ShownColumn, choice: ConditionChoice, text: string): Typed {
  if (choice === 'empty') return { condition: { path, op: '=', value: null } };
  if (choice === 'filled') return { condition: { path, op: '!=', value: null } };
  const trimmed = text.trim();
  if (trimmed === '') return { error: 'Enter a value.' };
  if (kind !== 'number') return { condition: { path, op: choice, value: trimmed } };
  const number = parseNumber(trimmed);
  return number === undefined
    ? { error: `Enter a number, such as ${(1234.5).toLocaleString()}.` }
    : { condition: { path, op: choice, value: String(number) } };
}

/** The conditions of an address; what does not parse is shown by the server's answer. */
export function conditionsOf(where: string | undefined): WhereCondition[] {
  try {
    return parseWhere(where ?? '');
  } catch {
    return [];
  }
}

export const whereOf = (conditions: readonly WhereCondition[]): string | undefined =>
  conditions.length === 0 ? undefined : formatWhere(conditions);
