import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { DrawnDocument } from './drawn-document.ts';
import { drawForm } from './form.ts';
import { drawInvoice } from './invoice.ts';
import type { Half, Locale } from './locale.ts';
import { german } from './locales/de.ts';
import { english } from './locales/en.ts';
import { spanish } from './locales/es.ts';
import { french } from './locales/fr.ts';
import { italian } from './locales/it.ts';
import { printPdf, scan } from './print.ts';
import { Random } from './random.ts';
import { drawReceipt } from './receipt.ts';
import { Writer } from './writer.ts';

export type MadeKind = 'invoice' | 'scanned invoice' | 'receipt' | 'form';

export interface MadeDocument {
  name: string;
  kind: MadeKind;
  bytes: Uint8Array;
  mimeType: 'application/pdf' | 'image/png';
  expected: Record<string, unknown>;
  absent: DrawnDocument['absent'];
  descriptions: Record<string, string>;
}

const locales: readonly Locale[] = [english, german, french, italian, spanish];
const seeds: Readonly<Record<Half, number>> = { development: 20_260_101, held_out: 77_003_911 };
const draw: Readonly<Record<MadeKind, (writer: Writer) => DrawnDocument>> = {
  invoice: drawInvoice,
  'scanned invoice': drawInvoice,
  receipt: drawReceipt,
  form: drawForm,
};
/** For each language; 65 documents in all. Every second form is a scan. */
const counts: Readonly<Record<MadeKind, number>> = { invoice: 5, 'scanned invoice': 3, receipt: 3, form: 2 };

/** Number of documents in a half. */
export const madeCount = locales.length * Object.values(counts).reduce((sum, count) => sum + count, 0);

interface MakeOptions {
  /** Maximum number of documents of each kind and language, for a short run. */
  limit?: number;
  /** A folder that stores printed files, because printing and scanning takes longer than reading. */
  keep?: string | undefined;
}

/**
 * The documents of one half; the same in every run. The halves share no label, layout, name or goods, so that rules that were
 * developed on one are not adapted to the other.
 */
export async function* makeDocuments(
  browser: Browser,
  half: Half,
  { limit = Infinity, keep }: MakeOptions = {},
): AsyncGenerator<MadeDocument> {
  let number = 0;
  for (const locale of locales) {
    for (const [kind, count] of Object.entries(counts) as [MadeKind, number][]) {
      for (let index = 0; index < count; index += 1) {
        number += 1;
        if (index >= limit) continue;
        const random = new Random(seeds[half] + number * 7919);
        const drawn = draw[kind](new Writer(locale, half, random));
        const isScan = kind === 'scanned invoice' || kind === 'receipt' || (kind === 'form' && index % 2 === 1);
        const name = `${half}-${String(number).padStart(2, '0')}-${locale.code}-${kind.replace(' ', '-')}`;
        const print = async (): Promise<Uint8Array> => {
          const pdf = await printPdf(browser, drawn);
          return isScan ? await scan(pdf, random) : pdf;
        };
        yield {
          name,
          kind,
          bytes: await storedOrMade(keep && path.join(keep, `${name}.${isScan ? 'png' : 'pdf'}`), print),
          mimeType: isScan ? 'image/png' : 'application/pdf',
          expected: drawn.expected,
          absent: drawn.absent,
          descriptions: drawn.descriptions,
        };
      }
    }
  }
}

async function storedOrMade(file: string | undefined, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  if (file === undefined) return await make();
  if (existsSync(file)) return await readFile(file);
  const bytes = await make();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  return bytes;
}
