import { setImmediate } from 'node:timers/promises';
import { cutAtCharacter, estimatedTokens, type PageText } from '@docwright/agent-core';
import { DomainError, type ExtractionEstimate, type ResponseFormat } from '@docwright/contract';
import type { Page } from '@docwright/documents';
import {
  createRowCounter,
  planPieces,
  type CutPage,
  type Piece,
  type PieceLimits,
  type PrintedTable,
} from '@docwright/documents/long';
import { listsOf } from './piece-schema.ts';

/**
 * Characters of page text in one request: some 75,000 tokens, which today's models take beside a schema and an answer.
 * Rows: some 15,000 tokens of an answer, which most models can write before they stop.
 */
export const requestLimits: PieceLimits = { characters: 300_000, rows: 300 };

/** What is known of a document before a model reads it. */
export interface Survey {
  pages: PageText[];
  tables: PrintedTable[];
  /** One where the document fits into one request. */
  pieces: Piece[];
  cutPages: CutPage[];
}

/**
 * Reads the pages one by one, so that no more than one page's words are in memory: their texts, the rows of their tables,
 * and the requests that they take. Without lists to extract, tables do not limit a request.
 */
export async function surveyDocument(
  pages: AsyncIterable<Page>,
  hasLists: boolean,
  limits: PieceLimits = requestLimits,
): Promise<Survey> {
  const counter = createRowCounter();
  const texts: PageText[] = [];
  const cutPages: CutPage[] = [];
  for await (const page of pages) {
    const { page_num, words } = page;
    const text = cutAtCharacter(page.text, limits.characters);
    if (text.length < page.text.length) cutPages.push({ page_num, characters: page.text.length - text.length });
    texts.push({ page_num, text, ...readingOf(words) });
    counter.add(page);
    await setImmediate();
  }
  const tables = counter.tables();
  const planned = texts.map(({ page_num, text }) => ({ page_num, characters: text.length }));
  const pieces = planPieces(planned, hasLists ? tables : [], hasLists ? limits : { ...limits, rows: Infinity });
  return { pages: texts, tables, pieces, cutPages };
}

/** Words have a confidence where they were recognised; the page's is the mean. */
function readingOf(words: Page['words']): Pick<PageText, 'read_by' | 'confidence'> {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  if (known.length === 0) return { read_by: 'text' };
  return { read_by: 'ocr', confidence: known.reduce((sum, each) => sum + each, 0) / known.length };
}

/** Rules, prompt, schema and fences around the pages. */
const tokensAround = 1500;
const tokensOfRow = 60;
const tokensOfAnswer = 300;

/** What the planned requests would cost. Pieces that are asked again, and answers that do not fit, come on top. */
export function estimateOf(
  { pages, tables, pieces }: Survey,
  requestCharacters: number,
  reads: number,
): Omit<ExtractionEstimate, 'prompt_revid'> {
  const spu_estimated = pieces.reduce((sum, { from, to }) => {
    const isWithin = (page_num: number): boolean => page_num >= from && page_num <= to;
    const characters = pages.reduce((all, { page_num, text }) => (isWithin(page_num) ? all + text.length : all), 0);
    const rows = tables.reduce((all, table) => all + table.rows.filter(({ page_num }) => isWithin(page_num)).length, 0);
    const tokens = estimatedTokens(characters + requestCharacters) + tokensAround + rows * tokensOfRow + tokensOfAnswer;
    return sum + Math.ceil(tokens / 1000);
  }, 0);
  return { requests: pieces.length * reads, pages: pages.length, spu_estimated: spu_estimated * reads };
}

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
