/**
 * What becomes of mixed files that arrive: 200 files of about 60 pages, made of real pages of a corpus and of generated
 * documents. Each is split where the proposer is sure, and its parts are routed by `like`:
 *
 *     CHROMIUM_PATH=… npm run bench -- arrival [--corpus <folder>] [--keep <folder>] [--half development]
 *
 * By default it measures documents that were set aside: the generated half `held_out`, and the files of the corpus whose
 * name's MD5 begins with a digit that 3 divides. The words of each kind are learned from documents of the other half, and
 * certainty from the decisions that a user would have made on it. `--keep` stores recognised pages from run to run.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  documentWords,
  fitOf,
  minFit,
  noWords,
  withDocument,
  type KindWords,
} from '../../apps/api/src/features/auto-create/index.ts';
import {
  calibrate,
  marginScore,
  scoreOf,
  type SettledDecision,
} from '../../apps/api/src/features/routing/certainty/calibration.ts';
import { createSplitProposer, isSureSplit } from '../../packages/documents/src/long.ts';
import type { Page } from '../../packages/documents/src/page/page.ts';
import { randomFrom } from '../../packages/documents/src/testing/table-pdf.ts';
import { readPages, type Reading } from './accuracy/read-pages.ts';
import { makeDocuments } from './made-documents/make-documents.ts';
import { openPrinter } from './made-documents/print.ts';
import { isShort, size } from './short/size.ts';

const { values: options } = parseArgs({
  options: { corpus: { type: 'string' }, keep: { type: 'string' }, half: { type: 'string', default: 'held_out' } },
});
const corpus = options.corpus ?? path.resolve(import.meta.dirname, '../../../shared/corpus');
const reading: Reading = { engine: 'tesseract', modelsFolder: undefined, keep: options.keep };
const pagesOfFile = size(60, 6);
const minConfidence = 0.9;
const maxMade = size(Infinity, 3);

interface Known {
  name: string;
  /** The route that is right for it; undefined for none. */
  route: string | undefined;
  pages: Page[];
}

const routeOf: Record<string, string> = {
  invoice: 'Invoice',
  'scanned invoice': 'Invoice',
  receipt: 'Receipt',
  form: 'Form',
};
const isSetAside = (name: string) => Number.parseInt(createHash('md5').update(name).digest('hex')[0]!, 16) % 3 === 0;

async function documentsOf(half: 'development' | 'held_out'): Promise<Known[]> {
  const found: Known[] = [];
  const manifest = path.join(corpus, 'manifest.json');
  if (!isShort && fs.existsSync(manifest)) {
    const entries = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { file: string; kind: string }[];
    for (const { file, kind } of entries) {
      if (!/\.(?:pdf|png|jpe?g)$/u.test(file) || kind === 'hostile') continue;
      if (isSetAside(file) !== (half === 'held_out')) continue;
      found.push({
        name: file,
        // Forms of governments and insurers have no kind in common.
        route: kind === 'form' ? undefined : routeOf[kind],
        pages: await readPages(fs.readFileSync(path.join(corpus, file)), file, reading),
      });
    }
  }
  const browser = await openPrinter();
  if (browser) {
    for await (const { bytes, name, kind } of makeDocuments(browser, half, {
      limit: size(Infinity, 1),
      keep: options.keep,
    })) {
      if (kind === 'form' || (isShort && kind === 'scanned invoice')) continue;
      found.push({ name, route: routeOf[kind], pages: await readPages(bytes, name, reading) });
      if (found.length === maxMade) break;
    }
    await browser.close();
  }
  return found;
}

const textOf = (pages: readonly Page[]) => pages.map(({ text }) => text).join('\n');

interface Mixed {
  pages: Page[];
  parts: { from: number; to: number; route: string | undefined }[];
}

function mixedFile(documents: readonly Known[], random: () => number): Mixed {
  const mixed: Mixed = { pages: [], parts: [] };
  let last = -1;
  while (mixed.pages.length < pagesOfFile) {
    const index = Math.floor(random() * documents.length);
    // Two copies of one document in a row are a duplicate, and no boundary that anybody could see.
    if (index === last) continue;
    last = index;
    const { pages, route } = documents[index]!;
    const from = mixed.pages.length + 1;
    for (const page of pages) mixed.pages.push({ ...page, page_num: mixed.pages.length + 1 });
    mixed.parts.push({ from, to: mixed.pages.length, route });
  }
  return mixed;
}

function learnKinds(documents: readonly Known[]): Map<string, KindWords> {
  const kinds = new Map<string, KindWords>();
  for (const [route, own] of Map.groupBy(documents, (document) => document.route)) {
    if (route === undefined) continue;
    // As in the product: the last twenty verified documents.
    const words = own
      .slice(-20)
      .reduce((known, { pages }) => withDocument(known, documentWords(textOf(pages))), noWords);
    kinds.set(route, words);
  }
  return kinds;
}

const known = new Map<string, ReturnType<typeof documentWords>>();

/** The route with the best fit and its score, as the product measures it. */
function routed(
  pages: readonly Page[],
  kinds: ReadonlyMap<string, KindWords>,
): { route: string; score: number } | undefined {
  const text = textOf(pages);
  // The same documents stand in many files.
  const words = known.get(text) ?? documentWords(text);
  known.set(text, words);
  const fits = [...kinds].map(([name, learned]) => ({ name, fit: fitOf(words, { name, fields: [], words: learned }) }));
  const [best, ...others] = fits.toSorted((a, b) => b.fit - a.fit);
  if (best === undefined || best.fit < minFit) return undefined;
  const rest = others.map(({ fit }) => fit);
  return { route: best.name, score: scoreOf([best.fit, marginScore(best.fit, rest)]) };
}

const half = options.half === 'development' ? 'development' : 'held_out';
const development = await documentsOf('development');
const measured = half === 'development' ? development : await documentsOf(half);
console.log(`${measured.length} documents of ${half}, ${development.length} of development`);
if (measured.length === 0 || development.length === 0) {
  console.log('Nothing to measure: it needs Chromium, which prints the documents, or a corpus.');
  process.exit();
}
const kinds = learnKinds(development);
const decisions: SettledDecision[] = development.flatMap(({ pages, route }) => {
  const guess = routed(pages, kinds);
  return guess ? [{ score: guess.score, isRight: guess.route === route }] : [];
});
const sureOf = calibrate(decisions);

for (const { name, pages, route } of measured) {
  const guess = routed(pages, kinds);
  if (guess?.route !== route)
    console.log(`  ${name} is ${route ?? 'none'}, routed to ${guess?.route ?? 'none'} (${guess?.score ?? 0})`);
}

const random = randomFrom(half === 'development' ? 4711 : 90_210);
const count = { files: 0, sureFiles: 0, real: 0, documents: 0, right: 0, flagged: 0, wrong: 0, wrongFlagged: 0 };
const bins = new Map<string, { starts: number; pages: number }>();
const hidden = new Map<string, { starts: number; pages: number }>();
let boundaries = { right: 0, proposed: 0, real: 0 };
for (let file = 0; file < size(200, 2); file += 1) {
  const { pages, parts } = mixedFile(measured, random);
  const proposer = createSplitProposer();
  for (const page of pages) proposer.add(page);
  const proposed = proposer.propose('file');
  const isSure = isSureSplit(proposed);
  count.files += 1;
  count.real += parts.length;
  if (isSure) count.sureFiles += 1;
  const real = new Map(parts.map((part) => [part.from, part]));
  boundaries = {
    right: boundaries.right + proposed.slice(1).filter((part) => real.has(part.pages[0]![0])).length,
    proposed: boundaries.proposed + proposed.length - 1,
    real: boundaries.real + parts.length - 1,
  };
  for (const { pages: ranges, probability, inner_probability } of proposed) {
    const [from, to] = ranges[0]!;
    if (from > 1) countIn(bins, probability, real.has(from));
    if (to > from)
      countIn(
        hidden,
        inner_probability,
        parts.some((part) => part.from > from && part.from <= to),
      );
  }
  for (const { pages: ranges } of proposed) {
    const [from, to] = ranges[0]!;
    const true_ = real.get(from);
    const guess = routed(pages.slice(from - 1, to), kinds);
    const isRight = true_ !== undefined && true_.to === to && guess?.route === true_.route;
    // A file with one unsure boundary waits as a whole, and so does a part with an unsure route.
    const isFlagged = !isSure || (guess !== undefined && (sureOf(guess.score) ?? 0) < minConfidence);
    count.documents += 1;
    if (isRight) count.right += 1;
    else count.wrong += 1;
    if (isFlagged) count.flagged += 1;
    if (!isRight && isFlagged) count.wrongFlagged += 1;
  }
}
function countIn(all: typeof bins, probability: number, isStart: boolean): void {
  const key = (Math.floor(probability * 20) / 20).toFixed(2);
  const bin = all.get(key) ?? { starts: 0, pages: 0 };
  all.set(key, { starts: bin.starts + Number(isStart), pages: bin.pages + 1 });
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => a.localeCompare(b);
const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
console.log(
  `boundaries: precision ${percent(boundaries.right, boundaries.proposed)}, recall ${percent(boundaries.right, boundaries.real)} of ${boundaries.real}`,
);
for (const [key, { starts, pages }] of [...bins].toSorted(byKey))
  console.log(`  from ${key}: ${starts} of ${pages} are starts`);
for (const [key, { starts, pages }] of [...hidden].toSorted(byKey)) {
  console.log(`  parts of several pages from ${key}: ${starts} of ${pages} hide a start`);
}
console.log(`files whose boundaries are all sure: ${count.sureFiles} of ${count.files}`);
// Of the real documents: what two of them were taken for is one proposal, and both are wrong.
console.log(`boundaries and route right: ${percent(count.right, count.real)} of ${count.real} documents`);
console.log(
  `unsure: ${percent(count.flagged, count.documents)}; of the wrong ones: ${percent(count.wrongFlagged, count.wrong)} of ${count.wrong}`,
);
