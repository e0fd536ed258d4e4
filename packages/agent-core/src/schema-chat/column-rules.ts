import { columnName, readAllowedValues, type Column, type ColumnType } from '@docwright/contract';

type AllowedValue = string | number | boolean;

/**
 * Whether two column names are the same: case, width and surrounding spaces are ignored.
 *
 * @example
 * import { isSameName } from '@docwright/agent-core';
 *
 * isSameName('Total', ' total'); // true
 */
export function isSameName(one: string, other: string): boolean {
  return normalizeName(one) === normalizeName(other);
}

function normalizeName(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/**
 * The problem of a column as a text that names what to do; undefined for a valid column.
 *
 * @param problemOfPattern the problem of a regular expression; undefined for a pattern that can be used
 *
 * @example
 * import { problemOfColumn } from '@docwright/agent-core';
 *
 * const column = { name: 'paid', type: 'boolean', allowedValues: 'yes', regex: '' } as const;
 * problemOfColumn(column, () => undefined); // 'The allowed value "yes" is neither true nor false.'
 */
export function problemOfColumn(
  { name, type, allowedValues, regex }: Pick<Column, 'name' | 'type' | 'allowedValues' | 'regex'>,
  problemOfPattern: (pattern: string) => string | undefined,
): string | undefined {
  const named = columnName.safeParse(name);
  if (!named.success) return named.error.issues[0]?.message ?? 'This name cannot be used.';
  return problemOfValues(type, allowedValues) ?? (regex === '' ? undefined : regexProblem(regex, problemOfPattern));
}

function regexProblem(regex: string, problemOfPattern: (pattern: string) => string | undefined): string | undefined {
  const problem = problemOfPattern(regex);
  return problem === undefined ? undefined : `The regex is refused: ${problem}`;
}

function problemOfValues(type: ColumnType, text: string): string | undefined {
  const read = typedValues(type, text);
  return 'problem' in read ? read.problem : undefined;
}

/**
 * Parses allowed values to the column's type. Duplicates are a problem.
 *
 * @param text the values, comma separated; a value with a comma is in double quotes
 *
 * @example
 * import { typedValues } from '@docwright/agent-core';
 *
 * typedValues('number', '7, 19'); // { values: [7, 19] }
 */
export function typedValues(type: ColumnType, text: string): { values: AllowedValue[] } | { problem: string } {
  const read = readAllowedValues(text);
  if (read.problem !== undefined) return { problem: read.problem };
  const values: AllowedValue[] = [];
  for (const written of read.values) {
    const value = valueOf(type, written);
    if (value === undefined) return { problem: `The allowed value "${written}" ${typeMessages[type]}` };
    if (values.includes(value)) return { problem: `The allowed value "${written}" is there twice. Leave one out.` };
    values.push(value);
  }
  return { values };
}

const typeMessages: Record<ColumnType, string> = {
  text: 'is no text.',
  number: 'is no number. Write it with a decimal point and without a unit.',
  currency: 'is no amount. Write it with a decimal point and without a currency sign.',
  date: 'is no date. Write it as YYYY-MM-DD.',
  boolean: 'is neither true nor false.',
};

function valueOf(type: ColumnType, written: string): AllowedValue | undefined {
  switch (type) {
    case 'text':
      return written;
    case 'number':
    case 'currency': {
      const value = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(written) ? Number(written) : NaN;
      return Number.isFinite(value) ? value : undefined;
    }
    case 'date':
      return isDate(written) ? written : undefined;
    case 'boolean':
      return written === 'true' ? true : written === 'false' ? false : undefined;
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
