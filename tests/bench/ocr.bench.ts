/**
 * Recognition of scanned pages, compared with the `tesseract` command on the same pages in the same run: pages per minute, and
 * wrong words against the known text. The command runs with OMP_THREAD_LIMIT=1 on PDF pages that are rendered before, at 300
 * dots per inch. The time of Docwright includes opening, rendering, straightening and layout. Needs tesseract-ocr and
 * poppler-utils. Run by hand:
 *
 *     npm run bench -- ocr [--corpus <folder>]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  detectType,
  parseDocument,
  recognitionConcurrency,
  recognizePage,
  type DocumentMimeType,
  type OcrLanguage,
} from '@docwright/documents';
import { buildPdf, line } from '@docwright/documents/testing';
import { pictureOf, png, rotateImage } from '@docwright/documents/testing/picture';
import { isShort, size } from './short/size.ts';

interface BenchPage {
  name: string;
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  pageNumber: number;
  /** An image of the page for the command. */
  file: string;
  /** The text of the page, if it is known. */
  reference: string | undefined;
}

interface CorpusEntry {
  file: string;
  has_text_layer: boolean;
  expected: { text?: string } | null;
}

const { values: options } = parseArgs({ options: { corpus: { type: 'string' } } });
const corpus = path.resolve(import.meta.dirname, '../..', options.corpus ?? '../shared/corpus');
const sentences = [
  'Invoice number 2024-0815 of 14 March 2024, payable within thirty days.',
  'Delivered to the harbour office, second floor, to the attention of Mrs Weaver.',
  'The goods remain the property of the seller until they have been paid in full.',
  '12 boxes of paper at 4.95 each, 3 cartridges at 38.50 each, freight 12.00.',
  'Subtotal 186.90, value added tax 35.51, total 222.41 to be paid by transfer.',
  'Please name the customer number 40517 with every payment and every question.',
];

async function madePages(directory: string): Promise<BenchPage[]> {
  const lines = Array.from({ length: size(36, 4) }, (_, index) => sentences[index % sentences.length]!);
  const content = lines.map((text, index) => line(text, 60, 740 - index * 18, 11)).join('');
  const pdf = buildPdf({ pages: [{ content }] });
  const fine = await pictureOf(pdf, 300 / 72);
  const pictures = {
    'made, 300 dpi': fine,
    ...(!isShort && {
      'made, 3° askew': rotateImage(fine, 0.052),
      'made, 100 dpi': await pictureOf(pdf, 100 / 72),
    }),
  };
  return Object.entries(pictures).map(([name, picture], index) => {
    const file = path.join(directory, `made-${index}.png`);
    const bytes = png(picture);
    writeFileSync(file, bytes);
    return { name, bytes, mimeType: 'image/png', pageNumber: 1, file, reference: lines.join('\n') };
  });
}

async function corpusPages(directory: string): Promise<BenchPage[]> {
  const manifest = JSON.parse(readFileSync(path.join(corpus, 'manifest.json'), 'utf8')) as CorpusEntry[];
  const found: BenchPage[] = [];
  for (const { file: name, has_text_layer, expected } of manifest) {
    if (has_text_layer || !/\.(?:pdf|png|jpe?g|tiff?)$/.test(name) || name.startsWith('bad_')) continue;
    const bytes = readFileSync(path.join(corpus, name));
    const mimeType = await detectType(bytes, name);
    const { pages } = await parseDocument({ bytes, mimeType });
    for (const { page_num: pageNumber, needs_ocr } of pages) {
      if (!needs_ocr) continue;
      const file = mimeType === 'application/pdf' ? rendered(directory, name, pageNumber) : path.join(corpus, name);
      found.push({ name, bytes, mimeType, pageNumber, file, reference: expected?.text });
    }
  }
  return found;
}

function rendered(directory: string, name: string, pageNumber: number): string {
  const prefix = path.join(directory, `${name}-${pageNumber}`);
  const page = String(pageNumber);
  execFileSync('pdftoppm', ['-r', '300', '-gray', '-png', '-singlefile', '-f', page, path.join(corpus, name), prefix]);
  return `${prefix}.png`;
}

function readByCommand(file: string): string {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  return execFileSync('tesseract', [file, '-', '-l', 'eng'], { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Number of changed, added and removed words, divided by the words of the reference. */
function wordErrorRate(text: string, reference: string): number {
  const [words, wanted] = [wordsOf(text), wordsOf(reference)];
  let row = Array.from({ length: words.length + 1 }, (_, index) => index);
  for (const [index, word] of wanted.entries()) {
    const next = [index + 1];
    for (const [column, other] of words.entries()) {
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + (word === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)! / Math.max(1, wanted.length);
}

/** The share of the words of one reading that the other has too, at any place. */
function shared(text: string, other: string): number {
  const counts = new Map<string, number>();
  for (const word of wordsOf(other)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = wordsOf(text);
  const found = words.filter((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left > 0;
  });
  return found.length / Math.max(1, words.length);
}

async function compare(pages: readonly BenchPage[]): Promise<void> {
  const rows = [];
  const seconds = { ours: 0, command: 0 };
  const errors = { ours: 0, command: 0, words: 0 };
  const missed = { ours: 0, command: 0 };
  let before: { name: string; language: OcrLanguage } | undefined;
  for (const { name, bytes, mimeType, pageNumber, file, reference } of pages) {
    const start = performance.now();
    // As in the product: the next page is probably in the language of the previous one.
    const likelyLanguage = before?.name === name ? before.language : undefined;
    const { page, language } = await recognizePage({ bytes, mimeType, pageNumber, likelyLanguage });
    before = { name, language };
    const between = performance.now();
    const commands = readByCommand(file);
    const end = performance.now();
    const [ours, command] = [(between - start) / 1000, (end - between) / 1000];
    seconds.ours += ours;
    seconds.command += command;
    const rate = { ours: wordErrorRate(page.text, reference ?? ''), command: wordErrorRate(commands, reference ?? '') };
    if (reference !== undefined) {
      const count = wordsOf(reference).length;
      errors.ours += rate.ours * count;
      errors.command += rate.command * count;
      errors.words += count;
      missed.ours += (1 - shared(reference, page.text)) * count;
      missed.command += (1 - shared(reference, commands)) * count;
    }
    const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
    rows.push({
      page: `${name} ${pageNumber}`,
      'ours, s': ours.toFixed(1),
      'command, s': command.toFixed(1),
      'our errors': reference === undefined ? '–' : percent(rate.ours),
      "command's errors": reference === undefined ? '–' : percent(rate.command),
      "command's words we have": percent(shared(commands, page.text)),
    });
  }
  console.table(rows);
  const perMinute = (value: number): string => ((pages.length * 60) / value).toFixed(1);
  console.log(
    `${pages.length} pages one after the other: ${perMinute(seconds.ours)} a minute against the command's ${perMinute(seconds.command)}: ${(seconds.command / seconds.ours).toFixed(2)}. The product reads ${recognitionConcurrency} at once on this machine.`,
  );
  const rateOf = (value: number): string => `${((value * 100) / errors.words).toFixed(2)} %`;
  console.log(
    `Word error rate where the text is known: ${rateOf(errors.ours)} against ${rateOf(errors.command)}; words missing, in whatever order: ${rateOf(missed.ours)} against ${rateOf(missed.command)}.`,
  );
}

for (const [command, argument, from] of [
  ['tesseract', '--version', 'tesseract-ocr'],
  ['pdftoppm', '-v', 'poppler-utils'],
] as const) {
  if (!spawnSync(command, [argument]).error) continue;
  console.log(`${command} is not there to compare with: install ${from}.`);
  process.exit(isShort ? 0 : 1);
}
const directory = mkdtempSync(path.join(tmpdir(), 'docwright-bench-'));
try {
  const pages = await madePages(directory);
  if (isShort) console.log('The short form reads one made page.');
  else if (existsSync(path.join(corpus, 'manifest.json'))) pages.push(...(await corpusPages(directory)));
  else console.log(`No corpus in ${corpus}: only made pages are read.`);
  const cold = performance.now();
  await recognizePage(pages[0]!);
  console.log(`first page, start of thread and engine included: ${((performance.now() - cold) / 1000).toFixed(1)} s`);
  await compare(pages);
} finally {
  rmSync(directory, { recursive: true });
}
