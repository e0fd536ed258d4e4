import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Half } from '../made-documents/locale.ts';
import { makeDocuments } from '../made-documents/make-documents.ts';
import { makeStrangers } from '../stranger-documents/make-strangers.ts';
import { openPrinter } from '../made-documents/print.ts';
import { isShort } from '../short/size.ts';

/** A document with the schema to fill and the expected result. */
export interface AskedDocument {
  name: string;
  kind: string;
  bytes: Uint8Array;
  /** The name of the file, from which its type can be detected. */
  file: string;
  expected: Record<string, unknown>;
  schema: object;
}

interface CorpusEntry {
  file: string;
  kind: string;
  has_text_layer: boolean;
  expected: Record<string, unknown> | null;
}

const notFields = new Set(['text', 'markdown', 'tables', 'behaviour']);

/**
 * The documents of a folder with a `manifest.json` that has their values. Schemas have names and types only. With `hasAbsent` a schema
 * also has the fields of other documents of its kind, as a schema has that is used for many documents.
 */
export async function* corpusDocuments(
  folder: string,
  { hasAbsent = false }: { hasAbsent?: boolean } = {},
): AsyncGenerator<AskedDocument> {
  const listing = path.join(folder, 'manifest.json');
  if (!existsSync(listing)) {
    console.log(`No corpus in ${folder}: name one with --corpus.`);
    return;
  }
  const manifest = JSON.parse(await readFile(listing, 'utf8')) as CorpusEntry[];
  const fieldsOf = (kind: string) =>
    manifest
      .filter((entry) => entry.kind.endsWith(kind.split(' ').at(-1) ?? ''))
      .flatMap(({ expected }) => Object.entries(expected ?? {}))
      .filter(([name, value]) => !notFields.has(name) && !Array.isArray(value));
  const kinds = new Set<string>();
  for (const { file, kind, has_text_layer: hasText, expected: all } of manifest) {
    const expected = Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => !notFields.has(name)));
    // The short form reads one document with a text layer of each kind.
    if (Object.keys(expected).length === 0 || (isShort && (!hasText || kinds.has(kind)))) continue;
    kinds.add(kind);
    yield {
      name: file,
      kind,
      file,
      bytes: await readFile(path.join(folder, file)),
      expected,
      schema: schemaFor({ ...(hasAbsent ? Object.fromEntries(fieldsOf(kind)) : {}), ...expected }),
    };
  }
}

/** Documents made for this benchmark; none if there is no browser to print them. */
export async function* madeDocuments(set: Half | 'strangers', keep: string | undefined): AsyncGenerator<AskedDocument> {
  const browser = await openPrinter();
  if (!browser) return;
  const options = { keep, ...(isShort && { limit: 1 }) };
  try {
    const documents = set === 'strangers' ? makeStrangers(browser, options) : makeDocuments(browser, set, options);
    for await (const made of documents) {
      const { name, kind, bytes, expected, absent, descriptions } = made;
      const samples = Object.entries(absent).map(([field, type]) => [field, type === 'number' ? 0 : '']);
      const schema = schemaFor({ ...expected, ...Object.fromEntries(samples) }, descriptions);
      yield { name, kind, bytes, file: `${name}.${made.mimeType === 'image/png' ? 'png' : 'pdf'}`, expected, schema };
      if (isShort) return;
    }
  } finally {
    await browser.close();
  }
}

function schemaFor(
  fields: Readonly<Record<string, unknown>>,
  descriptions: Readonly<Record<string, string>> = {},
): object {
  const properties = Object.entries(fields).map(([name, value]): [string, object] => {
    const description = descriptions[name] === undefined ? {} : { description: descriptions[name] };
    if (!Array.isArray(value)) return [name, { type: [typeof value, 'null'], ...description }];
    const [first = {}] = value as Record<string, unknown>[];
    const columns = [...new Set((value as object[]).flatMap((row) => Object.keys(row)))];
    return [
      name,
      { type: 'array', items: schemaFor(Object.fromEntries(columns.map((column) => [column, first[column]]))) },
    ];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}
