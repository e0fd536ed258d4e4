import { DomainError, type Column } from '@docwright/contract';
import { sameName } from '../column-rules.ts';

export function findColumn(columns: readonly Column[], id: string): Column {
  const found = columns.find((column) => column.id === id);
  if (found) return found;
  const known = columns.slice(0, 50).map((column) => `${column.id} (${column.name})`);
  throw new DomainError(
    'not_found',
    'column_not_found',
    `No column has the id ${id}. ${known.length === 0 ? 'There are no columns.' : `There are: ${known.join(', ')}.`}`,
  );
}

/** Throws `column_exists` where a column but `self` has the name, ignoring case. */
export function requireFreeName(columns: readonly Column[], name: string, self?: Column): void {
  const taken = columns.find((column) => column.id !== self?.id && sameName(column.name, name));
  if (taken) {
    throw new DomainError(
      'conflict',
      'column_exists',
      `There is a column "${taken.name}" already (id ${taken.id}). Choose another name, or edit that one.`,
    );
  }
}

export function requireUsable(problem: string | undefined): void {
  if (problem !== undefined) throw new DomainError('invalid', 'invalid_column', problem);
}
