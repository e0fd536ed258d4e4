import { DomainError, type ResponseFormat } from '@docwright/contract';
import { listsOf } from './piece-schema.ts';
import type { Survey } from './survey-document.ts';

/** Refuses, before anything is asked, what would take more requests than one extraction can have. */
export function requireRequests({ pieces }: Pick<Survey, 'pieces'>, max_requests: number): void {
  const requests = pieces.length;
  if (requests <= max_requests) return;
  throw new DomainError(
    'invalid',
    'extraction_too_large',
    `The extraction would take ${requests} requests, more than the ${max_requests} that MAX_EXTRACTION_REQUESTS allows. Split the document, or ask the operator for a higher limit.`,
    { requests, max_requests },
  );
}

/**
 * A result is stored compressed in one record of at most 16 MB: three times its texts (result, model's answer, quotes of places),
 * and about 30 bytes for the place of a value. Texts that do not compress at all just fit.
 */
const maxValues = 100_000;
const maxTableCharacters = 4_000_000;

/** Refuses, before anything is asked, what shows more values than can be stored with their places. */
export function requireStorable({ tables }: Pick<Survey, 'tables'>, format: ResponseFormat | undefined): void {
  const fields = format ? Math.max(0, ...listsOf(format).map((list) => list.fields.length)) : 0;
  const rows = tables.filter(({ is_certain }) => is_certain).flatMap((table) => table.rows);
  const characters = fields === 0 ? 0 : rows.reduce((sum, { text }) => sum + text.length, 0);
  if (rows.length * fields <= maxValues && characters <= maxTableCharacters) return;
  const shown =
    rows.length * fields > maxValues
      ? `${rows.length} rows of ${fields} values, more than the ${maxValues} values`
      : `${characters} characters, more than the ${maxTableCharacters}`;
  throw new DomainError(
    'invalid',
    'extraction_too_large',
    `The tables show ${shown} that one result can hold. Split the document.`,
  );
}
