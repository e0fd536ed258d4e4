import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { DrawnDocument } from '../made-documents/drawn-document.ts';
import type { MadeDocument, MadeKind } from '../made-documents/make-documents.ts';
import { printPdf, scan } from '../made-documents/print.ts';
import { Random } from '../made-documents/random.ts';
import { drawBill, drawSlip } from './papers.ts';
import { drawQuestionnaire } from './questionnaire.ts';
import { questionnaires } from './questions.ts';
import { vendors } from './vendors.ts';

const seed = 40_417;

type Draw = (random: Random, variant: number) => DrawnDocument;
type Plan = readonly [kind: MadeKind, isScan: boolean, language: string, draw: Draw];

const plans: readonly Plan[] = [
  ...vendors.flatMap((vendor): Plan[] => [
    ['invoice', false, vendor.language, (random, variant) => drawBill(vendor, random, variant)],
    ['invoice', false, vendor.language, (random, variant) => drawBill(vendor, random, variant + 2)],
    ['scanned invoice', true, vendor.language, (random, variant) => drawBill(vendor, random, variant)],
    ['receipt', true, vendor.language, (random, variant) => drawSlip(vendor, random, variant)],
  ]),
  ...Object.entries(questionnaires).flatMap(([language, both]) =>
    both.flatMap((questionnaire): Plan[] => [
      ['form', false, language, (random, variant) => drawQuestionnaire(language, questionnaire, random, variant + 1)],
      ['form', true, language, (random, variant) => drawQuestionnaire(language, questionnaire, random, variant + 3)],
    ]),
  ),
];

/** Papers of ten businesses and ten questionnaires on which no rule was developed; the same in every run. */
export async function* makeStrangers(
  browser: Browser,
  { limit = Infinity, keep }: { limit?: number; keep?: string | undefined } = {},
): AsyncGenerator<MadeDocument> {
  for (const [index, [kind, isScan, language, draw]] of plans.slice(0, limit).entries()) {
    const random = new Random(seed + index * 6_151);
    const drawn = draw(random, index);
    const name = `stranger-${String(index + 1).padStart(2, '0')}-${language}-${kind.replace(' ', '-')}`;
    const file = keep === undefined ? undefined : path.join(keep, `${name}.${isScan ? 'png' : 'pdf'}`);
    let bytes: Uint8Array;
    if (file !== undefined && existsSync(file)) bytes = await readFile(file);
    else {
      const pdf = await printPdf(browser, drawn);
      bytes = isScan ? await scan(pdf, random) : pdf;
      if (file !== undefined) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, bytes);
      }
    }
    const { expected, absent, descriptions } = drawn;
    const mimeType = isScan ? 'image/png' : 'application/pdf';
    yield { name, kind, bytes, mimeType, expected, absent, descriptions };
  }
}
