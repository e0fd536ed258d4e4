import { plainText } from '../../conversation/markdown.ts';
import { wordsOf } from '../../page/fold.ts';

const maxRows = 8;

/** A summary of an extraction: what it lacks, the values found, the missing ones, and the violations of the schema. */
export function summarizeExtraction(extraction: Record<string, unknown>): string {
  const result = extraction.result;
  if (typeof result !== 'object' || result === null) return 'The extraction ran, but its result has no fields.';
  const found: string[] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(result)) {
    if (isEmpty(value)) missing.push(wordsOf(name));
    else found.push(`- **${wordsOf(name)}**: ${describeValue(value)}`);
  }
  const parts = describeIncompleteness(extraction);
  parts.push(found.length > 0 ? `Found:\n${found.join('\n')}` : 'No value was found.');
  if (missing.length > 0) parts.push(`Not found, so left empty: ${missing.join(', ')}.`);
  const notFound = pathsOf(extraction.not_found);
  if (notFound.length > 0) parts.push(`These values are not on the pages: ${notFound.join(', ')}.`);
  const ambiguous = pathsOf(extraction.ambiguous);
  if (ambiguous.length > 0) parts.push(`These values are in several places: ${ambiguous.join(', ')}.`);
  const errors = extraction.issues;
  if (Array.isArray(errors) && errors.length > 0) parts.push(`${errors.length} value(s) do not fit the schema.`);
  return parts.join('\n\n');
}

/** Comes before the values, so that an incomplete result is not mistaken for a complete one. */
function describeIncompleteness({ is_complete, incomplete }: Record<string, unknown>): string[] {
  if (is_complete !== false) return [];
  const reasons = (Array.isArray(incomplete) ? incomplete : []).flatMap((issue: { message?: unknown } | null) =>
    typeof issue?.message === 'string' ? [`- ${plainText(issue.message)}`] : [],
  );
  return [['**This result is incomplete.**', ...reasons].join('\n')];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) {
    const rows = value.slice(0, maxRows).map((row) => `\n  - ${describeValue(row)}`);
    const more = value.length > maxRows ? `\n  - … and ${value.length - maxRows} more` : '';
    return `${value.length} row${value.length === 1 ? '' : 's'}${rows.join('')}${more}`;
  }
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).filter(([, part]) => !isEmpty(part));
    return parts.map(([name, part]) => `${wordsOf(name)} ${describeValue(part)}`).join(', ');
  }
  return plainText(String(value));
}

function pathsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
}
