/**
 * The laboratory of reading: compares the text that the product has with what people are shown, file by file. A PDF is read by
 * poppler too, and words are missing only where PDFium draws something at their place. Word, Excel, PowerPoint, OpenDocument and RTF
 * are printed by LibreOffice, HTML is shown by Chromium, and mail is read by Python and Chromium.
 * Needs poppler-utils, mupdf-tools to say who is wrong where poppler and the product differ, and for its kinds LibreOffice, Chromium
 * and Python. It fails where a file above 2 % has no reason. Run: npm run reading -- <folder> …
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareFile, type FileReport } from './compare-file.ts';
import { isHeldOut } from './held-out.ts';
import { reasonsMissing, summaryOf, type Known } from './summary.ts';
import { closeBrowser } from './viewers/web.ts';
import { writeReport } from './write-report.ts';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    /** `held-out` is the third that no rule is made for, `others` the rest. */
    part: { type: 'string', default: 'all' },
    /** Part of the names of the files to read. */
    only: { type: 'string', default: '' },
    /** Pages of each file. */
    pages: { type: 'string', default: '20' },
    /** With `none`, pages that wait for recognition are compared by their text layer alone. */
    engine: { type: 'string', default: 'tesseract' },
    models: { type: 'string' },
    /** A folder that keeps recognised pages, and what LibreOffice wrote, between runs. */
    keep: { type: 'string' },
    /** A file above 2 % without a reason is no failure. */
    figures: { type: 'boolean', default: false },
    /** The folder of the report. */
    report: { type: 'string', default: path.join(import.meta.dirname, '../../test-output/reading') },
  },
});
if (folders.length === 0 || !['all', 'held-out', 'others'].includes(options.part)) {
  console.log(
    'Give one or more folders: npm run reading -- <folder> [--part held-out|others] [--only <name>] [--pages 20] [--engine none|tesseract|auto|ppocr] [--figures]',
  );
  process.exit(1);
}

/** The files below a folder, in a fixed order. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

const files = folders
  .flatMap(filesOf)
  .filter((file) => path.basename(file).includes(options.only))
  .filter((file) => options.part === 'all' || isHeldOut(path.basename(file)) === (options.part === 'held-out'));
const known = JSON.parse(await readFile(path.join(import.meta.dirname, 'known.json'), 'utf8')) as Known;
const reports: FileReport[] = [];
try {
  for (const file of files) {
    const found = await compareFile(file, { ...options, maxPages: Number(options.pages) });
    if (found) reports.push(found);
  }
} finally {
  await closeBrowser();
}
const place = await writeReport(reports, options.report, known);
for (const line of summaryOf(reports)) console.log(line);
const unexplained = reasonsMissing(reports, known);
if (unexplained.length > 0) {
  console.log(`${unexplained.length} files above 2 % have no reason in tests/reading/known.json:`);
  for (const { name, missing, tooMany } of unexplained)
    console.log(`  ${name}: ${missing} missing, ${tooMany} too many`);
}
console.log(`The differences with pictures: ${existsSync(place) ? place : options.report}`);
process.exit(unexplained.length > 0 && !options.figures ? 1 : 0);
