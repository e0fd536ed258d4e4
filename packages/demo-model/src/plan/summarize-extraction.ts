import { wordsOf } from '../page/fold.ts';
import { plainText } from './plain-text.ts';

const maxRows = 8;

/** A summary of an extraction: what it lacks, the values found, the missing ones, and the violations of the schema. */
export function summarizeExtraction(extraction: Record<string, unknown>): string {
  const result = extraction.result;
  if (typeof result !== 'object' || result === null) return 'The extraction ran, but holds no fields.';
  const found: string[] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(result)) {
    if (isEmpty(value)) missing.push(wordsOf(name));
    else found.push(`- **${wordsOf(name)}**: ${messageOf(value)}`);
  }
  const parts = incompleteness(extraction);
  parts.push(found.length > 0 ? `Found:\n${found.join('\n')}` : 'No value was found.');
  if (missing.length > 0) parts.push(`Not found, so left empty: ${missing.join(', ')}.`);
  const doubts = [extraction.not_found, extraction.ambiguous].flatMap(pathsOf);
  if (doubts.length > 0)
    parts.push(`Please look at these, whose place on the pages is not certain: ${doubts.join(', ')}.`);
  const errors = extraction.issues;
  if (Array.isArray(errors) && errors.length > 0) parts.push(`${errors.length} value(s) do not fit the schema.`);
  return parts.join('\n\n');
}

/** Before the values, so that nobody takes an incomplete result for a whole one. */
function incompleteness({ is_complete, incomplete }: Record<string, unknown>): string[] {
  if (is_complete !== false) return [];
  const reasons = (Array.isArray(incomplete) ? incomplete : []).flatMap((issue: { message?: unknown } | null) =>
    typeof issue?.message === 'string' ? [`- ${plainText(issue.message)}`] : [],
  );
  return [['**This result is incomplete.**', ...reasons].join('\n')];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function messageOf(value: unknown): string {
  if (Array.isArray(value)) {
    const rows = value.slice(0, maxRows).map((row) => `\n  - ${messageOf(row)}`);
    const more = value.length > maxRows ? `\n  - … and ${value.length - maxRows} more` : '';
    return `${value.length} row${value.length === 1 ? '' : 's'}${rows.join('')}${more}`;
  }
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).filter(([, part]) => !isEmpty(part));
    return parts.map(([name, part]) => `${wordsOf(name)} ${messageOf(part)}`).join(', ');
  }
  return plainText(String(value));
}

function pathsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
}
