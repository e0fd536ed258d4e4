/** The score of a set of documents of one kind. */
export interface Score {
  documents: number;
  /** Number of values that are on the pages. */
  fields: number;
  right: number;
  /** Number of values that were filled with anything but the value of the page. */
  wrong: number;
  rows: number;
  rowsRight: number;
  rowsFilled: number;
}

export const noScore = (): Score => ({
  documents: 0,
  fields: 0,
  right: 0,
  wrong: 0,
  rows: 0,
  rowsRight: 0,
  rowsFilled: 0,
});

/** Adds one document to a score; `onWrongValue` gets a line about each wrong value. */
export function addDocument(
  score: Score,
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
  onWrongValue: (line: string) => void,
): void {
  score.documents += 1;
  for (const [name, value] of Object.entries(got)) {
    if (name in expected || value === null) continue;
    score.wrong += 1;
    onWrongValue(`${name}: is not on the page, got ${JSON.stringify(value)}`);
  }
  for (const [name, value] of Object.entries(expected)) {
    if (Array.isArray(value)) addRows(score, name, value as Record<string, unknown>[], got[name], onWrongValue);
    else {
      score.fields += 1;
      if (isSame(value, got[name])) {
        score.right += 1;
        continue;
      }
      if (got[name] !== null) score.wrong += 1;
      onWrongValue(`${name}: expected ${JSON.stringify(value)}, got ${JSON.stringify(got[name])}`);
    }
  }
}

function addRows(
  score: Score,
  name: string,
  expected: readonly Record<string, unknown>[],
  got: unknown,
  onWrongValue: (line: string) => void,
): void {
  const rows = Array.isArray(got) ? (got as Record<string, unknown>[]) : [];
  const right = expected.filter((row) => rows.some((other) => isSameRow(row, other))).length;
  score.rows += expected.length;
  score.rowsRight += right;
  score.rowsFilled += rows.length;
  if (right < expected.length)
    onWrongValue(`${name}: ${right} of ${expected.length} rows\n    ${JSON.stringify(rows)}`);
}

/** A row is right if its sum and its quantity are right, and its description is the same text or begins the same. */
function isSameRow(expected: Record<string, unknown>, got: Record<string, unknown>): boolean {
  return Object.entries(expected).every(([name, value]) => {
    if (typeof value !== 'string') return value === got[name];
    return hasMostWords(value, got[name]);
  });
}

function hasMostWords(expected: string, got: unknown): boolean {
  if (typeof got !== 'string') return false;
  const words = expected.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const there = new Set(got.toLowerCase().match(/[\p{L}\d]+/gu));
  return words.filter((word) => there.has(word)).length >= 0.6 * words.length;
}

/** Numbers must be equal. Of texts only letters and digits count, and one can contain the other if they differ by little. */
export function isSame(expected: unknown, got: unknown): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return expected === got;
  const [left, right] = [bare(expected), bare(got)];
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short !== '' && long.includes(short) && short.length >= 0.7 * long.length;
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
}
