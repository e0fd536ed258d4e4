/**
 * How well the demo model fills schemas, measured on real documents: for each kind of document the fields that were
 * right, wrong and missing. Run by hand, from the root:
 *
 *     node tests/bench/field-accuracy.bench.ts [--corpus <folder>] [--verbose]
 *
 * The folder (or `DOCWRIGHT_CORPUS`, default `../shared/corpus`) holds documents and a `manifest.json` that says what is on
 * their pages. Schemas carry names and types only, no descriptions. Pages without a text layer are recognised, as the
 * product does.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startDemoModel } from '@docwright/demo-model';
import { detectType, parseDocument, recognizePage, type OcrLanguage, type Page } from '@docwright/documents';
import { isShort } from './size.ts';

interface Entry {
  file: string;
  kind: string;
  has_text_layer: boolean;
  expected: Record<string, unknown> | null;
}

interface Count {
  documents: number;
  expected: number;
  right: number;
  wrong: number;
  rows: number;
  rowsRight: number;
  rowsFilled: number;
}

const { values: options } = parseArgs({
  options: { corpus: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
const root = resolve(import.meta.dirname, '../..');
const corpus = resolve(root, options.corpus ?? process.env.DOCWRIGHT_CORPUS ?? '../shared/corpus');
const notFields = new Set(['text', 'markdown', 'tables', 'behaviour']);

if (!existsSync(resolve(corpus, 'manifest.json'))) {
  console.log(`No corpus in ${corpus}: nothing can be measured. Name one with --corpus.`);
  process.exit();
}
const manifest = JSON.parse(await readFile(resolve(corpus, 'manifest.json'), 'utf8')) as Entry[];
const model = await startDemoModel({ chunkDelayMs: 0 });
const counts = new Map<string, Count>();

for (const entry of manifest) {
  const expected = Object.entries(entry.expected ?? {}).filter(([name]) => !notFields.has(name));
  // The short form reads one document of each kind whose text need not be recognized.
  if (expected.length === 0 || (isShort && (!entry.has_text_layer || counts.has(entry.kind)))) continue;
  score(entry, expected, await extract(entry.file, await pagesOf(entry.file), expected));
}
await model.close();
report();
process.exit(0);

async function pagesOf(file: string): Promise<Page[]> {
  const bytes = await readFile(resolve(corpus, file));
  const mimeType = await detectType(bytes, file);
  const { pages } = await parseDocument({ bytes, mimeType, name: file });
  let likelyLanguage: OcrLanguage | undefined;
  const read: Page[] = [];
  for (const page of pages) {
    if (!page.needs_ocr) {
      read.push(page);
      continue;
    }
    const recognized = await recognizePage({ bytes, mimeType, pageNumber: page.page_num, likelyLanguage });
    likelyLanguage = recognized.language;
    read.push(recognized.page);
  }
  if (options.verbose) tell(`--- ${file}\n${read.map((page) => page.text).join('\n\n')}`);
  return read;
}

async function extract(file: string, pages: readonly Page[], expected: [string, unknown][]) {
  const text = pages.map((page) => `<page number="${page.page_num}">\n${page.text}\n</page>`).join('\n');
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: model.model,
      messages: [
        {
          role: 'user',
          content: `Extract.\n\n<document name="${file}" pages="${pages.length}">\n${text}\n</document>`,
        },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'bench', strict: true, schema: schemaFor(expected) },
      },
    }),
  });
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return JSON.parse(body.choices[0]?.message.content ?? '{}') as Record<string, unknown>;
}

function schemaFor(fields: readonly [string, unknown][]): Record<string, unknown> {
  const properties = fields.map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [name, { type: [typeof value, 'null'] }];
    const columns = [...new Set((value as object[]).flatMap((row) => Object.keys(row)))];
    const items = columns.map((column): [string, unknown] => [
      column,
      (value as Record<string, unknown>[])[0]?.[column],
    ]);
    return [name, { type: 'array', items: schemaFor(items) }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function score(entry: Entry, expected: readonly [string, unknown][], got: Record<string, unknown>): void {
  const count = counts.get(entry.kind) ?? {
    documents: 0,
    expected: 0,
    right: 0,
    wrong: 0,
    rows: 0,
    rowsRight: 0,
    rowsFilled: 0,
  };
  counts.set(entry.kind, count);
  count.documents += 1;
  for (const [name, value] of expected) {
    if (Array.isArray(value)) {
      const rows = got[name] as Record<string, unknown>[];
      const right = (value as Record<string, unknown>[]).filter((row) => rows.some((other) => isSameRow(row, other)));
      count.rows += value.length;
      count.rowsRight += right.length;
      count.rowsFilled += rows.length;
      if (right.length < value.length)
        tell(`${entry.file} ${name}: ${right.length} of ${value.length} rows\n    ${JSON.stringify(rows)}`);
      continue;
    }
    count.expected += 1;
    if (isSame(value, got[name])) count.right += 1;
    else if (got[name] !== null) count.wrong += 1;
    if (!isSame(value, got[name]))
      tell(`${entry.file} ${name}: expected ${JSON.stringify(value)}, got ${JSON.stringify(got[name])}`);
  }
}

/** A row is right where its sum and its quantity are, and its description is the same text or begins the same. */
function isSameRow(expected: Record<string, unknown>, got: Record<string, unknown>): boolean {
  return Object.entries(expected).every(([name, value]) => {
    if (typeof value !== 'string') return value === got[name];
    return hasMostWords(value, got[name]);
  });
}

function hasMostWords(expected: string, got: unknown): boolean {
  if (typeof got !== 'string') return false;
  const words = expected.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const there = new Set(got.toLowerCase().match(/[\p{L}\d]+/gu));
  return words.filter((word) => there.has(word)).length >= 0.6 * words.length;
}

/** Numbers must be equal; of texts only letters and digits count, and one may hold the other where little is left over. */
function isSame(expected: unknown, got: unknown): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return expected === got;
  const [left, right] = [bare(expected), bare(got)];
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short !== '' && long.includes(short) && short.length >= 0.7 * long.length;
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
}

function tell(line: string): void {
  if (options.verbose) console.log(line);
}

function report(): void {
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`);
  const rows = [...counts].map(([kind, count]) => ({
    kind,
    documents: count.documents,
    fields: count.expected,
    right: count.right,
    wrong: count.wrong,
    missing: count.expected - count.right - count.wrong,
    recall: percent(count.right, count.expected),
    precision: percent(count.right, count.right + count.wrong),
    'line items': `${count.rowsRight} of ${count.rows} (${count.rowsFilled} filled)`,
  }));
  console.table(rows);
}
