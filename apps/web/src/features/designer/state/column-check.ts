import type { Column } from '@docwright/contract';
import type { ColumnField } from './column-labels.ts';

export type ColumnProblems = Map<string, Partial<Record<ColumnField, string>>>;

/** What the server alone can judge. */
export const checkedFields = ['allowedValues', 'regex'] as const;
export type CheckedField = (typeof checkedFields)[number];

/** What the server has said against a text, by `checkKey`. */
export type RefusedTexts = Record<string, string>;
export const checkKey = ({ type, ...column }: Column, field: CheckedField) => `${field} ${type} ${column[field]}`;

const longestName = 100;

/** What a person can be told while they write, and what the server has said against it. */
export function checkColumns(columns: Column[], refused: RefusedTexts): ColumnProblems {
  const problems: ColumnProblems = new Map();
  const note = (id: string, field: ColumnField, message: string | undefined) => {
    if (message !== undefined) problems.set(id, { ...problems.get(id), [field]: message });
  };
  const taken = new Set<string>();
  for (const column of columns) {
    const { id, name } = column;
    const plain = name.trim().normalize('NFKC').toLowerCase();
    note(id, 'name', problemOfName(plain, taken));
    taken.add(plain);
    for (const field of checkedFields) note(id, field, refused[checkKey(column, field)]);
  }
  return problems;
}

function problemOfName(plain: string, taken: Set<string>): string | undefined {
  if (plain === '') return 'Give it a name.';
  if (plain.length > longestName) return `At most ${longestName} characters.`;
  if (plain.includes('.')) return 'A name has no dot.';
  return taken.has(plain) ? 'Another column has this name.' : undefined;
}
