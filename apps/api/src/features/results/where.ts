import type { WhereCondition, WhereOperator } from '@docwright/contract';

/** A value of a column. A missing one is null. */
export type Cell = string | number | boolean | null;

/** Whether a value satisfies a condition on it. Null satisfies only `=null`. */
export function testOf({ op, value }: Pick<WhereCondition, 'op' | 'value'>): (cell: Cell) => boolean {
  if (value === null) return op === '=' ? (cell) => cell === null : (cell) => cell !== null;
  if (op === '~') {
    const part = foldCase(value);
    return (cell) => cell !== null && foldCase(String(cell)).includes(part);
  }
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const holds = comparisons[op];
  return (cell) => {
    if (cell === null) return false;
    if (typeof cell === 'number') return !Number.isNaN(number) && holds(cell, number);
    return holds(String(cell), value);
  };
}

const comparisons: Record<Exclude<WhereOperator, '~'>, (cell: string | number, value: string | number) => boolean> = {
  '=': (cell, value) => cell === value,
  '!=': (cell, value) => cell !== value,
  '<': (cell, value) => cell < value,
  '<=': (cell, value) => cell <= value,
  '>': (cell, value) => cell > value,
  '>=': (cell, value) => cell >= value,
};

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
