/**
 * How well the demo model fills schemas: the right, wrong and missing fields on real documents, and on documents made for this
 * benchmark on which its rules were not developed. Run by hand:
 *
 *     npm run bench -- field-accuracy [--corpus <folder>] [--keep <folder>] [--only corpus|development|held_out|strangers]
 *         [--verbose] [--engine auto|tesseract|ppocr] [--models <folder>]
 *
 * The corpus folder (or `DOCWRIGHT_CORPUS`, default `../shared/corpus`) has documents and a `manifest.json` with their values.
 * Generated documents need Chromium (`CHROMIUM_PATH`). Work on the rules uses the half `development`, with `--verbose`. The
 * content of `held_out` and `strangers` is never shown, so that nobody tunes the rules to it. `strangers` are papers of other
 * businesses in other words and layouts, drawn by other code. Pages without a text layer are recognised, as in the product.
 * `--keep` stores generated files and recognised pages from run to run. `--models` (or `OCR_MODELS`) is the folder of PP-OCR's
 * models, with which engines can be compared.
 */
import { parseArgs } from 'node:util';
import { startDemoModel } from '@docwright/demo-model';
import { groundResult } from '@docwright/documents';
import { type AskedDocument, corpusDocuments, madeDocuments } from './accuracy/asked-documents.ts';
import { extractValues } from './accuracy/extract-values.ts';
import { readPages, recognition } from './accuracy/read-pages.ts';
import { readingOf, readingOptions } from './accuracy/reading-options.ts';
import { addDocument, noScore, type Score } from './accuracy/score.ts';

const { values: options } = parseArgs({ options: readingOptions });
const { corpus, reading } = readingOf(options);
const model = await startDemoModel({ chunkDelayMs: 0 });

interface Result {
  scores: Map<string, Score>;
  /** Values of recognised pages, and those of them that are in the text. */
  scanned: { values: number; found: number };
}

async function measure(documents: AsyncIterable<AskedDocument>, isShown: boolean): Promise<Result> {
  const result: Result = { scores: new Map(), scanned: { values: 0, found: 0 } };
  const print = (line: string): void => {
    if (isShown) console.log(line);
  };
  for await (const document of documents) {
    const pages = await readPages(document.bytes, document.file, reading);
    print(`--- ${document.name}\n${pages.map((page) => page.text).join('\n\n')}`);
    const score = result.scores.get(document.kind) ?? noScore();
    result.scores.set(document.kind, score);
    addDocument(score, document.expected, await extractValues(model, document, pages), (line) =>
      print(`${document.name} ${line}`),
    );
    if (!pages.some(({ words }) => words.some(({ confidence }) => confidence !== undefined))) continue;
    const places = Object.values(await groundResult(document.expected, pages));
    result.scanned.values += places.length;
    result.scanned.found += places.filter(({ match }) => match !== 'none').length;
  }
  return result;
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`);

function columns(name: string, score: Score | undefined): Record<string, string> {
  const { documents, fields, right, wrong, rows, rowsRight } = score ?? noScore();
  return {
    [`${name}: documents`]: String(documents),
    [`${name}: right`]: `${right} of ${fields} (${percent(right, fields)})`,
    [`${name}: precision`]: percent(right, right + wrong),
    [`${name}: line items`]: `${rowsRight} of ${rows}`,
  };
}

function together(scores: Iterable<Score>): Score {
  const sum = noScore();
  for (const score of scores) for (const key of Object.keys(sum) as (keyof Score)[]) sum[key] += score[key];
  return sum;
}

const wanted = options.only === undefined ? ['corpus', 'held_out', 'strangers'] : [options.only];
const results = new Map<string, Result>();
for (const name of wanted) {
  if (name === 'corpus') {
    const result = await measure(corpusDocuments(corpus), options.verbose);
    if (result.scores.size > 0) results.set(name, result);
  } else if (name === 'development' || name === 'held_out' || name === 'strangers') {
    const result = await measure(madeDocuments(name, options.keep), options.verbose && name === 'development');
    if (result.scores.size > 0) results.set(name.replace('_', ' '), result);
    else console.log('No browser to print documents with: install Chromium, or name it with CHROMIUM_PATH.');
  } else throw new Error(`--only is corpus, development, held_out or strangers, not ${name}.`);
}
await model.close();
const kinds = new Set([...results.values()].flatMap(({ scores }) => [...scores.keys()]));
const table = [...kinds].map((kind) => ({
  kind,
  ...Object.assign({}, ...[...results].map(([name, { scores }]) => columns(name, scores.get(kind)))),
}));
console.table([
  ...table,
  {
    kind: 'all',
    ...Object.assign({}, ...[...results].map(([name, { scores }]) => columns(name, together(scores.values())))),
  },
]);
for (const [name, { scanned }] of results) {
  console.log(`${name}: of the values on recognised pages ${percent(scanned.found, scanned.values)} are in the text`);
}
if (recognition.pages > 0) {
  const each = (recognition.seconds / recognition.pages).toFixed(1);
  console.log(`recognition by ${reading.engine}: ${recognition.pages} pages, ${each} s of processor time a page`);
}
process.exit(0);
