/**
 * Whether the review of a result shows what is wrong in it: of the wrong values and of the right ones, the share that a user is asked to
 * check with the default weights. The demo model fills the schemas, and each schema also has fields that its page lacks. Run by hand:
 *
 *     npm run bench -- risk [--corpus <folder>] [--keep <folder>] [--only corpus|development|held_out|strangers]
 *         [--part held-out|others] [--verbose] [--engine auto|tesseract|ppocr] [--models <folder>]
 *
 * Options are those of `field-accuracy`. `--part` selects files of the corpus by their names: rules are made with `others` alone.
 */
import { parseArgs } from 'node:util';
import { startDemoModel } from '@docwright/demo-model';
import type { Page } from '@docwright/documents';
import { groundAtOnce } from '../../packages/documents/src/testing/ground-at-once.ts';
import { type AskedDocument, corpusDocuments, madeDocuments } from './accuracy/asked-documents.ts';
import { extractWithDoubts } from './accuracy/extract-values.ts';
import { readPages } from './accuracy/read-pages.ts';
import { readingOf, readingOptions } from './accuracy/reading-options.ts';
import { isSame } from './accuracy/score.ts';
import {
  finish,
  defaultModel,
  expectedSteps,
  labelSteps,
  PageLabels,
  observeSteps,
  reviewSteps,
  type ReviewedValue,
} from '../../packages/review/src/index.ts';
import { isHeldOut } from '../reading/held-out.ts';

const { values: options } = parseArgs({ options: { ...readingOptions, part: { type: 'string', default: 'all' } } });
const { corpus, reading } = readingOf(options);
const model = await startDemoModel({ chunkDelayMs: 0 });

interface Judged {
  document: string;
  isScan: boolean;
  /** The model's values, or those of the page of which one is left out, or another amount or number of the page stands for it. */
  way: 'model' | 'left out' | 'confused';
  isWrong: boolean;
  review: ReviewedValue;
  expected: unknown;
}

/** A result's values outside of rows, as their review shows them. */
function reviewed(
  document: AskedDocument,
  pages: readonly Page[],
  result: Record<string, unknown>,
  doubts: Record<string, number> = {},
): ReviewedValue[] {
  const labels = new PageLabels(pages.map((page) => page.text).join('\n'));
  const recognised = pages.filter(({ words }) => words.some(({ confidence }) => confidence !== undefined));
  const values = finish(
    reviewSteps({
      result,
      originalResult: result,
      isVerified: false,
      signals: finish(
        observeSteps({
          result,
          grounding: groundAtOnce(result, [...pages]),
          pages: recognised,
          validationErrors: [],
          failedChecks: [],
          doubts,
          expected: finish(expectedSteps(result, labels, document.schema)),
          labels: finish(labelSteps(result, labels, document.schema)),
          hasUnread: pages.some(({ unread }) => (unread?.length ?? 0) > 0),
        }),
      ),
      decisions: {},
      model: defaultModel,
      profiles: new Map(),
      acceptBelow: 0,
    }),
  );
  return values.filter(({ path: field }) => !field.includes('.') && !Array.isArray(result[field]));
}

/** What the model fills, against the values of the page. A filled field whose value is not known is left out of the corpus. */
async function judge(document: AskedDocument, isComplete: boolean): Promise<Judged[]> {
  const pages = await readPages(document.bytes, document.file, reading);
  const { result, doubts } = await extractWithDoubts(model, document, pages);
  const isScan = pages.some(({ words }) => words.some(({ confidence }) => confidence !== undefined));
  const common = { document: document.name, isScan };
  const filled = reviewed(document, pages, result, doubts)
    .filter(({ path: field, value }) => isComplete || value === null || field in document.expected)
    .map((review): Judged => {
      const expected = document.expected[review.path] ?? null;
      const isWrong = expected === null ? review.value !== null : !isSame(expected, review.value);
      return { ...common, way: 'model', isWrong, review, expected };
    });
  return [
    ...filled,
    ...[...leftOut(document, pages), ...confused(document, pages)].map((each) => ({ ...common, ...each })),
  ];
}

/** Each value of the page left out in turn, and all of them filled, by which only fields are empty that the page lacks. */
function leftOut(document: AskedDocument, pages: readonly Page[]): Omit<Judged, 'document' | 'isScan'>[] {
  const names = Object.keys((document.schema as { properties: object }).properties);
  const truth = Object.fromEntries(names.map((name) => [name, document.expected[name] ?? null]));
  const known = Object.entries(truth).filter(([, value]) => value !== null && !Array.isArray(value));
  const wrong = known.flatMap(([name, expected]) =>
    reviewed(document, pages, { ...truth, [name]: null })
      .filter((review) => review.path === name)
      .map((review) => ({ way: 'left out' as const, isWrong: true, review, expected })),
  );
  const right = reviewed(document, pages, truth).map((review) => ({
    way: 'left out' as const,
    isWrong: false,
    review,
    expected: truth[review.path],
  }));
  return [...wrong, ...right];
}

/** Each amount of the page in turn replaced by the next one that the page prints. */
function confused(document: AskedDocument, pages: readonly Page[]): Omit<Judged, 'document' | 'isScan'>[] {
  const text = pages.map((page) => page.text).join('\n');
  const printed = Array.from(
    text.matchAll(/(?<![\d.,])(\d{1,3}(?:[., ]?\d{3})*)[.,](\d{2})(?![\d%.,])/gu),
    ([, whole, part]) => Number(`${whole!.replaceAll(/\D/gu, '')}.${part}`),
  );
  const names = Object.keys((document.schema as { properties: object }).properties);
  const truth = Object.fromEntries(names.map((name) => [name, document.expected[name] ?? null]));
  const amounts = Object.entries(truth).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const known = new Set(amounts.map(([, amount]) => amount));
  return amounts.flatMap(([name, expected]) => {
    const others = [...new Set(printed)].filter((amount) => amount !== expected);
    // Another field's amount is known by its place.
    const other = others.find((amount) => !known.has(amount)) ?? others[0];
    if (other === undefined) return [];
    return reviewed(document, pages, { ...truth, [name]: other })
      .filter((review) => review.path === name)
      .map((review) => ({ way: 'confused' as const, isWrong: true, review, expected }));
  });
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;

function row(set: string, values: readonly Judged[]) {
  const toCheck = (some: readonly Judged[]) => share(some.filter(({ review }) => review.toCheck).length, some.length);
  const of = (isWrong: boolean, isEmpty: boolean) =>
    toCheck(values.filter(({ isWrong: wrong, review }) => wrong === isWrong && (review.value === null) === isEmpty));
  return {
    set,
    documents: new Set(values.map(({ document }) => document)).size,
    'wrong, to check': toCheck(values.filter(({ isWrong }) => isWrong)),
    'of them empty': of(true, true),
    'of them filled': of(true, false),
    'right, to check': toCheck(values.filter(({ isWrong }) => !isWrong)),
    'of these empty': of(false, true),
    'of these filled': of(false, false),
  };
}

async function* documentsOf(set: string): AsyncGenerator<AskedDocument> {
  if (set !== 'corpus') {
    yield* madeDocuments(set as 'development' | 'held_out' | 'strangers', options.keep);
    return;
  }
  for await (const document of corpusDocuments(corpus, { hasAbsent: true })) {
    if (options.part !== 'all' && isHeldOut(document.file) !== (options.part === 'held-out')) continue;
    yield document;
  }
}

const table: ReturnType<typeof row>[] = [];
for (const set of options.only === undefined ? ['corpus', 'held_out', 'strangers'] : [options.only]) {
  const all: Judged[] = [];
  for await (const document of documentsOf(set)) all.push(...(await judge(document, set !== 'corpus')));
  for (const [way, some] of Map.groupBy(all, (value) => value.way)) {
    table.push(row(`${set}, ${way}`, some));
    for (const [isScan, part] of Map.groupBy(some, (value) => value.isScan)) {
      table.push(row(`${set}, ${way}, ${isScan ? 'recognised' : 'with text'}`, part));
    }
  }
  // What is measured is not looked at.
  if (!options.verbose || (set !== 'development' && (set !== 'corpus' || options.part !== 'others'))) continue;
  for (const { document, way, isWrong, review, expected } of all) {
    if (!isWrong && !review.toCheck) continue;
    const { path: field, value, risk, reasons, toCheck } = review;
    const verdict = isWrong ? (toCheck ? 'wrong, seen' : 'WRONG, NOT SEEN') : 'RIGHT, TO CHECK';
    console.log(
      `${way}: ${verdict}: ${document} ${field} ${JSON.stringify(value)} (${JSON.stringify(expected)}) ${risk} ${reasons.join(' ')}`,
    );
  }
}
await model.close();
console.table(table);
process.exit(0);
