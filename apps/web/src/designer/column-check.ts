import type { Column } from '@docwright/contract';
import type { ColumnField } from './column-words.ts';

export type ColumnProblems = Map<string, Partial<Record<ColumnField, string>>>;

const longestName = 100;

/** What a person can be told while they write; of patterns, what the server has said against them. */
export function checkColumns(columns: Column[], refusedPatterns: Record<string, string>): ColumnProblems {
  const problems: ColumnProblems = new Map();
  const note = (id: string, field: ColumnField, message: string) =>
    problems.set(id, { ...problems.get(id), [field]: message });
  const firstWith = new Map<string, string>();
  for (const { id, name, regex } of columns) {
    const plain = name.trim().toLowerCase();
    if (plain === '') note(id, 'name', 'Give it a name.');
    else if (name.trim().length > longestName) note(id, 'name', `At most ${longestName} characters.`);
    else if (firstWith.has(plain)) note(id, 'name', 'Another column has this name.');
    else firstWith.set(plain, id);
    const refused = regex === '' ? undefined : refusedPatterns[regex];
    if (refused !== undefined) note(id, 'regex', refused);
  }
  return problems;
}
