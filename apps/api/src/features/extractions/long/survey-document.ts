import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { cutAtCharacter, estimatedTokens, type PageText } from '@docwright/agent-core';
import { DomainError, type Document, type ExtractionEstimate, type ResponseFormat } from '@docwright/contract';
import { canDraw, type Page } from '@docwright/documents';
import {
  createRowCounter,
  planPieces,
  type CutPage,
  type Piece,
  type PieceLimits,
  type PrintedTable,
} from '@docwright/documents/long';
import { unreadReason } from '../../documents/index.ts';
import { listsOf } from './piece-schema.ts';

/**
 * `characters`: page text in one request, some 75,000 tokens, which fit current models beside a schema and an answer.
 * `rows`: some 15,000 tokens of an answer, which most models can write.
 */
const requestLimits: PieceLimits = { characters: 300_000, rows: 300 };

/** A page without its text, which is read again for the request that shows it. */
interface SurveyedPage extends Pick<PageText, 'page_num' | 'read_by' | 'confidence' | 'unread'> {
  /** Of the text that a request shows. */
  characters: number;
}

/** The pages, tables and plan of a document before a model reads it. */
export interface Survey {
  pages: SurveyedPage[];
  hasText: boolean;
  /** Changes with every text of a page. */
  textDigest: string;
  tables: PrintedTable[];
  /** One piece if the document fits into one request. */
  pieces: Piece[];
  cutPages: CutPage[];
}

/**
 * Reads the pages one by one, so that only one page's words are in memory, and plans the requests from their texts and
 * table rows. Without lists to extract, tables do not limit a request.
 */
export async function surveyDocument(
  pages: AsyncIterable<Page>,
  hasLists: boolean,
  limits: PieceLimits = requestLimits,
): Promise<Survey> {
  const counter = createRowCounter();
  const surveyed: SurveyedPage[] = [];
  const digest = createHash('sha256');
  let hasText = false;
  const cutPages: CutPage[] = [];
  for await (const page of pages) {
    const { page_num, words, unread = [] } = page;
    const text = requestText(page, limits);
    const characters = text.length;
    if (characters < page.text.length) cutPages.push({ page_num, characters: page.text.length - characters });
    surveyed.push({ page_num, characters, ...readingOf(words), ...(unread.length > 0 && { unread }) });
    digest.update(`${page_num} ${characters}\n`).update(text);
    hasText ||= text.trim() !== '';
    counter.add(page);
    await setImmediate();
  }
  const tables = counter.tables();
  const pieces = planPieces(surveyed, hasLists ? tables : [], hasLists ? limits : { ...limits, rows: Infinity });
  return { pages: surveyed, hasText, textDigest: digest.digest('hex'), tables, pieces, cutPages };
}

/** The text of a page as a request shows it. */
export function requestText({ text }: Pick<PageText, 'text'>, limits: PieceLimits = requestLimits): string {
  return cutAtCharacter(text, limits.characters);
}

/** The confidence of a recognised page is the mean of its words, which only recognised words have. */
function readingOf(words: Page['words']): Pick<PageText, 'read_by' | 'confidence'> {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  if (known.length === 0) return { read_by: 'text' };
  return { read_by: 'ocr', confidence: known.reduce((sum, each) => sum + each, 0) / known.length };
}

/** Rules and fences around the pages. */
const tokensAround = 1500;
const tokensOfRow = 60;
const tokensOfAnswer = 300;

/** The estimated cost of the planned requests, without repeated pieces and corrections. */
export function estimateOf(
  { pages, tables, pieces }: Survey,
  requestCharacters: number,
  reads: number,
): Omit<ExtractionEstimate, 'prompt_revid'> {
  const spu_estimated = pieces.reduce((sum, { from, to }) => {
    const isWithin = (page_num: number): boolean => page_num >= from && page_num <= to;
    const characters = pages.reduce((all, page) => (isWithin(page.page_num) ? all + page.characters : all), 0);
    const rows = tables.reduce((all, table) => all + table.rows.filter(({ page_num }) => isWithin(page_num)).length, 0);
    const tokens = estimatedTokens(characters + requestCharacters) + tokensAround + rows * tokensOfRow + tokensOfAnswer;
    return sum + Math.ceil(tokens / 1000);
  }, 0);
  return { requests: pieces.length * reads, pages: pages.length, spu_estimated: spu_estimated * reads };
}

/** Refuses a document, before any request, that needs more requests than one extraction can have. */
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
 * A result is stored compressed in one record of at most 16 MB: its texts three times (result, original answer, quotes),
 * and about 30 bytes for the place of each value. Texts that do not compress at all just fit.
 */
const maxValues = 100_000;
const maxTableCharacters = 4_000_000;

/** Refuses a document, before any request, whose tables have more values than can be stored with their places. */
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

/** Throws `document_not_read_yet` or `document_has_no_text`. */
export function requireText(
  document: Document,
  { hasText, pageCount }: { hasText: boolean; pageCount: number },
  canSee = false,
): void {
  const unread = unreadReason(document);
  if (unread) throw unread;
  if (hasText) return;
  // A model with vision reads such pages from their images.
  if (canSee && pageCount > 0 && canDraw(document.mime_type)) return;
  const reason = document.state_error?.message ?? 'No text was found on its pages.';
  throw new DomainError('conflict', 'document_has_no_text', `There is no text to extract from. ${reason}`);
}
