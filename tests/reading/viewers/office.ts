import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { datesOf, isCutCell, isNumber, onPaperAlone, scaleNumbers, withoutRepeats } from '../reasons.ts';
import { wordsOf, type PlacedWord } from '../words.ts';
import { popplerPages, type ShownPage } from './pdf.ts';

const run = promisify(execFile);
const maxMilliseconds = 120_000;
/** Prints each sheet of a workbook on one page of its size. */
const wholeSheets = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}';

/** What LibreOffice prints of a file. */
export interface OfficeWords {
  /** Those of one page after the other, with the reason why the product may lack them. */
  words: PlacedWord[];
  /** Words that the file shows, but not in print, with the reason. */
  unprinted: PlacedWord[];
}

/**
 * The words of a Word, Excel, PowerPoint, OpenDocument or RTF file as LibreOffice prints it.
 *
 * @param isText whether it is a text, whose pages share their headers and footers
 */
export async function officeWords(file: string, isText: boolean, isWorkbook: boolean): Promise<OfficeWords> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docwright-reading-'));
  const convert = async (to: string): Promise<void> => {
    const profile = `-env:UserInstallation=file://${path.join(tmpdir(), 'docwright-reading-office')}`;
    const options = [profile, '--headless', '--convert-to', to, '--outdir', folder, file];
    await run('soffice', options, { timeout: maxMilliseconds });
  };
  const print = async (to: string): Promise<ShownPage[]> => {
    await convert(to);
    return popplerPages(path.join(folder, `${path.parse(file).name}.pdf`));
  };
  try {
    const printed = await print('pdf');
    // Paper divides a sheet, and prints twice what lies across the edge.
    const pages = isWorkbook ? await print(wholeSheets) : printed;
    const { sheets, numbers, categories, notes, hasHidden } = await readParts(file);
    const cells = isWorkbook ? await cellTexts(folder, convert) : [];
    const cellSet = new Set(cells);
    const sheetWords = sheets.flatMap(wordsOf);
    const whole = [...sheetWords, ...pages.flatMap(({ words }) => words)];
    const onPaper = isWorkbook ? onPaperAlone(printed, whole) : [];
    const today = datesOf(new Date());
    // Each sheet and each slide has its own header and footer.
    const shown = [...(isText ? [withoutRepeats(pages)] : pages.map(({ words }) => words)), onPaper];
    const words = shown.flatMap((page) => {
      const scale = numbers ? scaleNumbers(page, new Set(categories)) : new Set<PlacedWord>();
      return page
        .filter(({ text }) => !numbers || !isNumber(text) || numbers.has(text))
        .map((word): PlacedWord => {
          const { text } = word;
          const reason = scale.has(word)
            ? 'scale'
            : today.has(text)
              ? 'today'
              : isWorkbook && isCutCell(text, cellSet)
                ? 'cut'
                : word.reason;
          // The places of LibreOffice's pages are not those of the product's.
          return reason ? { text, reason } : { text };
        });
    });
    return {
      words: [...sheetWords, ...words],
      // Cells are also written in full if they are hidden.
      unprinted: [
        ...(hasHidden ? [] : cells.map((text): PlacedWord => ({ text, reason: 'cut' }))),
        ...notes.flatMap(wordsOf).map(({ text }): PlacedWord => ({ text, reason: 'notes' })),
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The words in the cells of all sheets as they would be printed with enough room. */
async function cellTexts(folder: string, convert: (to: string) => Promise<void>): Promise<string[]> {
  // Tabs between cells, UTF-8, as shown, each sheet in a file of its own.
  await convert('csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.csv'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  // A cell of several lines stands in quotation marks.
  const cells = texts.flatMap((text) => text.split(/\t|^"|"$|(?<=\t)"|"(?=\t)/gmu));
  return cells.flatMap((cell) => cell.replaceAll('""', '"').split(/\s+/u)).filter(Boolean);
}

/**
 * The names of the sheets that a workbook shows, which are no part of its printed pages, and the numbers that a file with charts holds:
 * the others along the axes are computed by what draws them. Also the categories of charts, the notes of slides, and whether a sheet
 * hides something. The program prints JSON.
 */
const readPartsProgram = `
import json, re, sys, zipfile
sheets, numbers, categories, notes, hidden = [], None, [], [], False
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
        for name in names:
            if re.search(r'charts/chart[^/]*\\.xml$', name):
                chart = archive.read(name).decode('utf-8', 'replace')
                categories += [word for part in re.findall(r'<c:cat>.*?</c:cat>', chart, re.S) for word in re.findall(r'<c:v>([^<]*)', part)]
            if re.search(r'notesSlides/[^/]*\\.xml$', name):
                notes += ['Notes:'] + [''.join(re.findall(r'<a:t>([^<]*)', part)) for part in re.findall(r'<a:p>.*?</a:p>', archive.read(name).decode('utf-8', 'replace'), re.S)]
            if re.search(r'xl/(workbook|worksheets/[^/]*)\\.xml$', name):
                hidden = hidden or re.search(r'hidden="(1|true)"|state="(hidden|veryHidden)"', archive.read(name).decode('utf-8', 'replace')) is not None
            if name == 'content.xml':
                hidden = hidden or b'visibility="collapse"' in archive.read(name) or b'table:display="false"' in archive.read(name)
except zipfile.BadZipFile:
    pass
print(json.dumps({'sheets': sheets, 'numbers': numbers, 'categories': categories, 'notes': notes, 'hasHidden': hidden}))
`;

interface Parts {
  sheets: string[];
  numbers: ReadonlySet<string> | undefined;
  categories: string[];
  notes: string[];
  hasHidden: boolean;
}

async function readParts(file: string): Promise<Parts> {
  const { stdout } = await run('python3', ['-c', readPartsProgram, file], { maxBuffer: 1 << 26, timeout: 30_000 });
  const parts = JSON.parse(stdout) as Omit<Parts, 'numbers'> & { numbers: string[] | null };
  return { ...parts, numbers: parts.numbers ? new Set(parts.numbers) : undefined };
}
