/**
 * Text, words and boxes of PDFs, compared with poppler's `pdftotext -bbox` in the same run: speed on a generated document of
 * 100 pages, agreement on it and on the real documents of the corpus. Also the share of known values that grounding finds in
 * the corpus, and the cells of its tables and forms that are found (F1).
 * Needs poppler-utils. Run: npm run bench -- documents
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { detectType, groundResult, parseDocument, type Page, type Word } from '@docwright/documents';
import { buildPdf, line } from '@docwright/documents/testing';
import { printCellScores } from './accuracy/cell-score.ts';
import { isShort, size } from './short/size.ts';

const PAGES = size(100, 3);
const LINES = 58;
const ROUNDS = size(15, 1);
const corpus = process.env['DOCWRIGHT_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared/corpus');
const vocabulary =
  'the quick brown fox jumps over lazy dog invoice total amount due payment within thirty days of receipt delivery address customer number reference bank transfer account holder quantity description unit price'.split(
    ' ',
  );

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface CorpusEntry {
  file: string;
  has_text_layer: boolean;
  expected: Record<string, unknown> | null;
}

function makeDocument(): Uint8Array {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const makeLine = (): string => {
    const words: string[] = [];
    while (words.join(' ').length < 90) words.push(vocabulary[Math.floor(random() * vocabulary.length)]!);
    return `${words.join(' ')} ${(random() * 100).toFixed(2)}`;
  };
  const pages = Array.from({ length: PAGES }, () => ({
    content: Array.from({ length: LINES }, (_, index) => line(makeLine(), 50, 750 - index * 12, 10)).join(''),
  }));
  return buildPdf({ pages });
}

async function readOurs(bytes: Uint8Array): Promise<Page[]> {
  const { pages } = await parseDocument({ bytes, mimeType: 'application/pdf' });
  return pages;
}

function readPoppler(file: string): Word[][] {
  const html = execFileSync('pdftotext', ['-bbox', '-cropbox', file, '-'], { maxBuffer: 1 << 28 }).toString();
  return html
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(/<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)<\/word>/g)].map(
        ([, x0, y0, x1, y1, text = '']) => ({
          text: text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? ''),
          x0: Number(x0),
          y0: Number(y0),
          x1: Number(x1),
          y1: Number(y1),
        }),
      ),
    );
}

function overlap(a: Word, b: Word): number {
  const shared = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return Math.max(0, shared) / (Math.max(a.x1, b.x1) - Math.min(a.x0, b.x0));
}

/** The words of one page that both readings have, by text and place, and how far their widths agree. */
function compare(ours: readonly Word[], theirs: readonly Word[]): { matched: number; overlaps: number[] } {
  const free = Map.groupBy(ours, (word) => word.text);
  const overlaps: number[] = [];
  for (const word of theirs) {
    const candidates = free.get(word.text) ?? [];
    const at = candidates.findIndex(
      (other) => overlap(other, word) > 0.3 && Math.abs(other.y0 + other.y1 - word.y0 - word.y1) < 12,
    );
    if (at === -1) continue;
    overlaps.push(overlap(candidates[at]!, word));
    candidates.splice(at, 1);
  }
  return { matched: overlaps.length, overlaps };
}

function agreement(name: string, ours: readonly Page[], theirs: readonly Word[][]): void {
  const compared = ours.map((page, index) => compare(page.words, theirs[index] ?? []));
  const matched = compared.reduce((sum, page) => sum + page.matched, 0);
  const overlaps = compared.flatMap((page) => page.overlaps).sort((a, b) => a - b);
  const percentile = (share: number): string => (overlaps[Math.floor(overlaps.length * share)] ?? 0).toFixed(2);
  const precision = matched / ours.reduce((sum, page) => sum + page.words.length, 0);
  const recall = matched / theirs.reduce((sum, page) => sum + page.length, 0);
  console.log(
    `${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, x-IoU p10 ${percentile(0.1)}, median ${percentile(0.5)}`,
  );
}

/** Processor time of ended child processes, in hundredths of a second; 0 if the system does not report it. */
function ticksOfChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[13]) + Number(fields[14]);
}

async function benchSpeed(file: string, bytes: Uint8Array): Promise<void> {
  const cold = performance.now();
  await readOurs(bytes);
  console.log(`first document, thread start included: ${Math.round(performance.now() - cold)} ms`);
  const ours: number[] = [];
  const theirs: number[] = [];
  const cpu = { ours: 0, theirs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const before = process.cpuUsage();
    await readOurs(bytes);
    const between = performance.now();
    const { user, system } = process.cpuUsage(before);
    const children = ticksOfChildren();
    execFileSync('pdftotext', ['-bbox', file, '/dev/null']);
    ours.push(between - start);
    theirs.push(performance.now() - between);
    cpu.ours += (user + system) / 1000;
    cpu.theirs += (ticksOfChildren() - children) * 10;
  }
  // The fastest round of each is the least disturbed by other processes.
  const [our, their] = [Math.min(...ours), Math.min(...theirs)];
  const perSecond = (milliseconds: number): number => Math.round((PAGES * 1000) / milliseconds);
  console.log(
    `${PAGES} pages: ${perSecond(our)} pages/s against poppler's ${perSecond(their)}: ${(their / our).toFixed(2)} (to reach: .9)`,
  );
  if (cpu.theirs > 0) {
    const each = (milliseconds: number): number => Math.round(milliseconds / ROUNDS);
    console.log(
      `processor time, all threads: ${each(cpu.ours)} ms against poppler's ${each(cpu.theirs)} ms: ${(cpu.theirs / cpu.ours).toFixed(2)}`,
    );
  }
  agreement('words against poppler', await readOurs(bytes), readPoppler(file));
}

async function benchCorpus(): Promise<void> {
  const manifest = JSON.parse(readFileSync(path.join(corpus, 'manifest.json'), 'utf8')) as CorpusEntry[];
  let found = 0;
  let values = 0;
  for (const { file, has_text_layer, expected } of manifest) {
    if (!has_text_layer || !file.endsWith('.pdf')) continue;
    const bytes = readFileSync(path.join(corpus, file));
    const { pages } = await parseDocument({ bytes, mimeType: await detectType(bytes, file) });
    agreement(file, pages, readPoppler(path.join(corpus, file)));
    const grounded = Object.entries(await groundResult(expected ?? {}, pages)).filter(
      ([key]) => !/^tables\.\d+\.page$/.test(key),
    );
    values += grounded.length;
    found += grounded.filter(([, { match }]) => match !== 'none').length;
  }
  console.log(`grounding: ${found} of ${values} known values found (${((100 * found) / values).toFixed(1)} %)`);
  await printCellScores(corpus);
}

if (spawnSync('pdftotext', ['-v']).error) {
  console.log('pdftotext is not there to compare with: install poppler-utils.');
  process.exit(isShort ? 0 : 1);
}
const directory = mkdtempSync(path.join(tmpdir(), 'docwright-bench-'));
try {
  const file = path.join(directory, 'bench.pdf');
  const bytes = makeDocument();
  writeFileSync(file, bytes);
  await benchSpeed(file, bytes);
  if (existsSync(corpus) && !isShort) await benchCorpus();
} finally {
  rmSync(directory, { recursive: true });
}
