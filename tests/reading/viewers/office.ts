import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { wordsOf, type PlacedWord } from '../words.ts';
import { popplerPages, type ShownPage } from './pdf.ts';

const run = promisify(execFile);
const maxMilliseconds = 120_000;

/**
 * The words of a Word, Excel, PowerPoint, OpenDocument or RTF file as LibreOffice prints it.
 *
 * @param isText whether it is a text, whose pages share their headers and footers
 */
export async function officeWords(file: string, isText: boolean): Promise<PlacedWord[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docwright-reading-'));
  try {
    const profile = `-env:UserInstallation=file://${path.join(tmpdir(), 'docwright-reading-office')}`;
    await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, file], {
      timeout: maxMilliseconds,
    });
    const pages = await popplerPages(path.join(folder, `${path.parse(file).name}.pdf`));
    const { sheets, numbers } = await readParts(file);
    // Each sheet and each slide has its own header and footer.
    const words = isText ? withoutRepeats(pages) : pages.flatMap((page) => page.words);
    const printed = words.filter(({ text }) => !numbers || !isNumber(text) || numbers.has(text));
    // The places of LibreOffice's pages are not those of the product's.
    return [...sheets, ...printed.map(({ text }) => ({ text }))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The share of a page that holds its header, and the share that holds its footer. */
const margin = 0.12;

/** The words of all pages. A header or a footer that is printed at the same place of several pages counts once, as it is stored. */
export function withoutRepeats(pages: readonly ShownPage[]): PlacedWord[] {
  const seen = new Set<string>();
  return pages.flatMap(({ words, height }) =>
    words.filter(({ text, place }) => {
      if (!place || (place.y1 > height * margin && place.y0 < height * (1 - margin))) return true;
      const key = [text, Math.round(place.x0), Math.round(place.y0)].join(' ');
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
  );
}

const isNumber = (text: string): boolean => /^[-–]?[\d.,]+%?$/u.test(text);

/**
 * The names of the sheets that a workbook shows, which are no part of its printed pages, and the numbers that a file with charts holds:
 * the others along the axes are computed by what draws them. The program prints JSON.
 */
const readPartsProgram = `
import json, re, sys, zipfile
sheets, numbers = [], None
try:
    with zipfile.ZipFile(sys.argv[1]) as archive:
        names = archive.namelist()
        if 'xl/workbook.xml' in names:
            import xml.etree.ElementTree as tree
            root = tree.fromstring(archive.read('xl/workbook.xml'))
            sheets = [node.get('name') for node in root.iter() if node.tag.endswith('}sheet') and node.get('state', 'visible') == 'visible']
        elif 'content.xml' in names and 'spreadsheet' in sys.argv[1].lower() + str(archive.read('mimetype') if 'mimetype' in names else ''):
            sheets = re.findall(r'<table:table [^>]*table:name="([^"]*)"', archive.read('content.xml').decode('utf-8'))
        if any('/charts/chart' in name or name.startswith('Object ') for name in names):
            numbers = sorted({word for name in names if name.endswith('.xml')
                              for word in re.findall(r'(?<![\\w.,-])[-–]?[\\d.,]+%?', archive.read(name).decode('utf-8', 'replace'))})
except zipfile.BadZipFile:
    pass
print(json.dumps({'sheets': sheets, 'numbers': numbers}))
`;

async function readParts(file: string): Promise<{ sheets: PlacedWord[]; numbers: ReadonlySet<string> | undefined }> {
  const { stdout } = await run('python3', ['-c', readPartsProgram, file], { maxBuffer: 1 << 26, timeout: 30_000 });
  const { sheets, numbers } = JSON.parse(stdout) as { sheets: string[]; numbers: string[] | null };
  return { sheets: sheets.flatMap(wordsOf), numbers: numbers ? new Set(numbers) : undefined };
}
