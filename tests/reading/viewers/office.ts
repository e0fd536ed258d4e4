import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PlacedWord } from '../words.ts';
import { popplerPages } from './pdf.ts';

const run = promisify(execFile);
const maxMilliseconds = 120_000;

/** The words of a Word, Excel, PowerPoint, OpenDocument or RTF file as LibreOffice prints it. */
export async function officeWords(file: string): Promise<PlacedWord[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docwright-reading-'));
  try {
    const profile = `-env:UserInstallation=file://${path.join(tmpdir(), 'docwright-reading-office')}`;
    await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, file], {
      timeout: maxMilliseconds,
    });
    const pages = await popplerPages(path.join(folder, `${path.parse(file).name}.pdf`));
    // The places of LibreOffice's pages are not those of the product's.
    return pages.flatMap(({ words }) => words.map(({ text }) => ({ text })));
  } finally {
    await rm(folder, { recursive: true });
  }
}
