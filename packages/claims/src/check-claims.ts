import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Citation, Claim } from '@docwright/contract';
import { languageOfCode, type TextLanguage } from '@docwright/language';
import { type Evidence, EvidenceBook, type ScopeDocument } from './evidence.ts';
import { checkSentence, type CheckContext } from './check-sentence.ts';
import { decimalSignOf } from './facts.ts';
import { NameIndex } from './names.ts';
import { languageOf } from './passages.ts';
import { segmentsOf, withoutMarks } from './segments.ts';
import { splitSentences } from './split-sentences.ts';

/** An answer, and what its ids hold. */
export interface AnswerToCheck {
  /** The answer in Markdown, with its marks `[[id]]`. */
  text: string;
  evidence: Iterable<Evidence>;
  /** The documents of the scope. A sentence that names one must cite it. */
  documents: Iterable<ScopeDocument>;
  /** The reader's locale, as in `Accept-Language`. */
  locale?: string | undefined;
}

/** So long others of the process wait at most for the sentences of one answer, in milliseconds. */
const yieldEveryMs = 10;

/**
 * Checks each sentence of an answer against what its citations hold, without a model. This is a filter and not a proof:
 * it compares numbers, dates, names, quotations, words and negations, and does not understand the sentence.
 * An answer can be long, and others use the same process: they have turns between its sentences.
 *
 * @example
 * ```ts
 * import { checkClaims } from '@docwright/claims';
 *
 * const cell = { kind: 'cell' as const, id: 'c1', document_id: 'd1', path: 'total', value: 500, currency: 'EUR' };
 * const documents = [{ id: 'd1', name: 'invoice.pdf', names: ['Contoso'] }];
 * const claims = await checkClaims({ text: 'Contoso billed 501 EUR [[c1]].', evidence: [cell], documents });
 * console.log(claims[0]?.support); // 'unsupported'
 * ```
 */
export async function checkClaims(answer: AnswerToCheck): Promise<Claim[]> {
  const claims: Claim[] = [];
  let since = performance.now();
  for (const claim of claimsOf(answer)) {
    if (claim) claims.push(claim);
    if (performance.now() - since < yieldEveryMs) continue;
    await yieldToEventLoop();
    since = performance.now();
  }
  return claims;
}

/** A longer text is no sentence, and would take seconds. */
const maxSentence = 4_000;
/** The number of checked characters of an answer. More would not fit into a record. */
export const maxChecked = 100_000;
/** Characters of the claims of one answer, with what they cite. */
const maxClaims = 2_000_000;

/** The claims of `checkClaims` one by one; undefined where a step without a claim ends. */
export function* claimsOf({ text, evidence, documents, locale }: AnswerToCheck): Generator<Claim | undefined> {
  const checked = text.slice(0, maxChecked);
  const book = new EvidenceBook(evidence);
  const language = languageOfLocale(locale);
  const written = withoutMarks(checked);
  const isForeign = language !== undefined && written.length > 60 && languageOf(written, language) !== language;
  const names = new NameIndex();
  yield* names.fill(documents, checked);
  const context: CheckContext = {
    book,
    names,
    decimal: isForeign ? 'either' : decimalSignOf(locale),
    language,
  };
  let size = 0;
  for (const { from, to, leads } of splitSentences(checked)) {
    // A sentence that goes on behind the limit could say the opposite there.
    const isCut = text.length > maxChecked && to === maxChecked;
    if (isCut || size > maxClaims) return yield restOf(text, from);
    const sentence = text.slice(from, to);
    if (sentence.length > maxSentence) {
      size += sentence.length;
      const why = 'It is too long to be checked. Write short sentences.';
      yield { text: sentence, from, to, support: 'unsupported', citations: [], why };
      continue;
    }
    const led = leads === undefined ? [] : segmentsOf(text.slice(to, leads)).flatMap(({ ids }) => ids);
    const { support, why, ids } = checkSentence(sentence, led, context);
    const citations = ids.flatMap((id) => citationOf(id, book));
    size += sentence.length + JSON.stringify(citations).length;
    yield { text: sentence, from, to, support, citations, ...(why !== undefined && { why }) };
  }
  if (text.length > maxChecked) yield restOf(text, maxChecked);
}

/** The part of an answer beyond its limits. Its text is shortened. */
function restOf(text: string, from: number): Claim {
  const why = 'The answer is too long: from here on it was not checked. Ask for less at once.';
  const start = text.slice(from, from + maxSentence);
  return { text: start, from, to: text.length, support: 'unsupported', citations: [], why };
}

const languageOfLocale = (locale: string | undefined): TextLanguage | undefined =>
  locale === undefined ? undefined : languageOfCode(locale.slice(0, 2).toLowerCase());

function citationOf(id: string, book: EvidenceBook): Citation[] {
  const evidence = book.get(id);
  if (evidence === undefined) return [];
  const place =
    evidence.kind === 'cell' || evidence.kind === 'passage'
      ? {
          document_id: evidence.document_id,
          ...(evidence.page_num !== undefined && { page_num: evidence.page_num }),
          ...(evidence.boxes !== undefined && { boxes: evidence.boxes }),
          ...(evidence.kind === 'cell' && evidence.quote !== undefined && { quote: evidence.quote }),
        }
      : {};
  const { kind } = evidence;
  const field = {
    ...((kind === 'cell' || kind === 'aggregate') && { path: evidence.path }),
    ...(evidence.currency !== undefined && { currency: evidence.currency }),
    ...(kind === 'aggregate' && { op: evidence.op, cell_count: evidence.cell_count ?? evidence.cells.length }),
  };
  return [{ id, kind, ...place, value: kind === 'passage' ? evidence.text : evidence.value, ...field }];
}
