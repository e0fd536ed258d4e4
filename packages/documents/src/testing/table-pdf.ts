import { buildPdf, line, type TestPage } from './build-pdf.ts';

/** `ruled`: lines around each cell. `wrapped`: descriptions of up to three lines. `header`: the header is on each page. */
export type TableLayout = 'ruled' | 'unruled' | 'wrapped' | 'header';
export const tableLayouts: readonly TableLayout[] = ['ruled', 'unruled', 'wrapped', 'header'];

export interface TableRow {
  date: string;
  description: string;
  reference: string;
  amount: number;
  balance: number;
}

export interface TablePdf {
  bytes: Uint8Array;
  rows: TableRow[];
  /** Text that occurs once, on the first page. */
  account: string;
  /** Text that occurs once, on the last page. */
  closing: number;
  pageCount: number;
}

const words =
  'transfer to supplier rent office paper monthly subscription refund travel hotel taxi coffee machine repair cleaning service insurance premium water electricity internet phone parking fuel ticket conference fee'.split(
    ' ',
  );
const fontSize = 9;
const lineHeight = 12;
const bottomMargin = 60;

/** A statement with a table over many pages, and its values. The same seed gives the same file. */
export function buildTablePdf({
  rows: count,
  layout,
  seed = 1,
}: {
  rows: number;
  layout: TableLayout;
  seed?: number;
}): TablePdf {
  const random = randomFrom(seed);
  const account = `ACC-${10_000 + Math.floor(random() * 90_000)}`;
  const rows = makeRows(count, layout, random);
  const pages: string[] = [];
  let content = '';
  let y = 760;
  const header = (): void => {
    content +=
      line('Date', 50, y, fontSize) + line('Description', 110, y, fontSize) + line('Reference', 330, y, fontSize);
    content += rightLine('Amount', 470, y) + rightLine('Balance', 550, y);
    y -= lineHeight + 4;
  };
  const startPage = (): void => {
    y = 760;
    if (pages.length === 0) {
      content += line('Northwind Bank', 50, y, 16) + line(`Statement of account ${account}`, 50, y - 24, 11);
      content += line('All amounts in EUR. Entries in the order of booking.', 50, y - 40, fontSize);
      y -= 80;
      header();
    } else if (layout === 'header') {
      content += line(`Statement of account ${account}`, 50, y, fontSize);
      y -= 24;
      header();
    }
  };
  const endPage = (): void => {
    content += line(`Page ${pages.length + 1}`, 290, 30, 8);
    pages.push(content);
    content = '';
  };
  startPage();
  for (const row of rows) {
    const lines = wrap(row.description, layout === 'wrapped' ? 30 : 200);
    const height = lines.length * lineHeight + (layout === 'wrapped' ? 4 : 2);
    if (y - height < bottomMargin) {
      endPage();
      startPage();
    }
    content += line(row.date, 50, y, fontSize) + line(row.reference, 330, y, fontSize);
    for (const [index, text] of lines.entries()) content += line(text, 110, y - index * lineHeight, fontSize);
    content += rightLine(amountText(row.amount), 470, y) + rightLine(amountText(row.balance), 550, y);
    if (layout === 'ruled') {
      for (const x of [46, 106, 326, 400, 476, 556]) content += `0.5 w ${x} ${y + 9} m ${x} ${y + 9 - height} l S\n`;
      content += `0.5 w 46 ${y + 9 - height} m 556 ${y + 9 - height} l S\n`;
    }
    y -= height;
  }
  const closing = rows.at(-1)?.balance ?? 0;
  if (y - 40 < bottomMargin) {
    endPage();
    startPage();
  }
  content += line('Closing balance', 110, y - 20, fontSize) + rightLine(amountText(closing), 550, y - 20);
  endPage();
  const bytes = buildPdf({ pages: pages.map((each): TestPage => ({ content: each })) });
  return { bytes, rows, account, closing, pageCount: pages.length };
}

function makeRows(count: number, layout: TableLayout, random: () => number): TableRow[] {
  let balance = 1000;
  let day = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, index) => {
    if (random() < 0.2) day += 86_400_000;
    const amount = Math.round((random() * 4000 - 1900) * 100) / 100;
    balance = Math.round((balance + amount) * 100) / 100;
    const length = layout === 'wrapped' ? 2 + Math.floor(random() * 11) : 2 + Math.floor(random() * 4);
    const chosen = Array.from({ length }, () => words[Math.floor(random() * words.length)]!);
    return {
      date: new Date(day).toISOString().slice(0, 10),
      description: chosen.join(' '),
      reference: `R${String(100_000 + index)}`,
      amount,
      balance,
    };
  });
}

/** The printed form, such as `1,234.50`. */
function amountText(amount: number): string {
  return amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function rightLine(text: string, right: number, y: number): string {
  const width =
    Array.from(text).reduce((sum, character) => sum + (/[.,-]/.test(character) ? 0.29 : 0.556), 0) * fontSize;
  return line(text, Math.round((right - width) * 100) / 100, y, fontSize);
}

function wrap(text: string, maxLength: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current !== '' && current.length + word.length + 1 > maxLength) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** A generator of numbers from 0 to 1. The same seed gives the same numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
