import type { Column } from '@docwright/contract';
import type { ColumnField } from './column-labels.ts';

export type ColumnProblems = Map<string, Partial<Record<ColumnField, string>>>;

/** Fields that only the server can validate. */
export const checkedFields = ['allowedValues', 'regex'] as const;
export type CheckedField = (typeof checkedFields)[number];

/** Error messages of texts that the server rejected, by `checkKey`. */
export type RejectedTexts = Record<string, string>;
export const checkKey = ({ type, ...column }: Column, field: CheckedField) => `${field} ${type} ${column[field]}`;

const maxNameLength = 100;

/** Validates columns: their names here, other fields by the server's earlier answers. */
export function checkColumns(columns: Column[], rejected: RejectedTexts): ColumnProblems {
  const problems: ColumnProblems = new Map();
  const addProblem = (id: string, field: ColumnField, message: string | undefined) => {
    if (message !== undefined) problems.set(id, { ...problems.get(id), [field]: message });
  };
  const takenNames = new Set<string>();
  for (const column of columns) {
    const { id, name } = column;
    const normalized = name.trim().normalize('NFKC').toLowerCase();
    addProblem(id, 'name', nameProblem(normalized, takenNames));
    takenNames.add(normalized);
    for (const field of checkedFields) addProblem(id, field, rejected[checkKey(column, field)]);
  }
  return problems;
}

function nameProblem(name: string, takenNames: Set<string>): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > maxNameLength) return `At most ${maxNameLength} characters.`;
  if (name.includes('.')) return 'A name cannot contain a dot.';
  return takenNames.has(name) ? 'Another column has this name.' : undefined;
}
