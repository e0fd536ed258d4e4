import { columnName, readAllowedValues, type Column, type ColumnType } from '@docwright/contract';

type AllowedValue = string | number | boolean;

/** Names of one schema are told apart like this: whoever reads the table cannot tell `Total` from `total`. */
export function sameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/** What keeps a column from being one of a schema, in words that name the cure; undefined where nothing does. */
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

/** The allowed values as a document's value of this type is compared with them; each at most once. */
export function typedValues(type: ColumnType, text: string): { values: AllowedValue[] } | { problem: string } {
  const read = readAllowedValues(text);
  if (read.problem !== undefined) return { problem: read.problem };
  const values: AllowedValue[] = [];
  for (const written of read.values) {
    const value = valueOf(type, written);
    if (value === undefined) return { problem: `The allowed value "${written}" ${wanted[type]}` };
    if (values.includes(value)) return { problem: `The allowed value "${written}" is there twice. Leave one out.` };
    values.push(value);
  }
  return { values };
}

const wanted: Record<ColumnType, string> = {
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
