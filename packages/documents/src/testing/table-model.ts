import type { Page } from '../page/page.ts';
import type { Piece } from '../pieces/plan-pieces.ts';
import type { PieceAnswer } from '../pieces/read-in-pieces.ts';
import type { TablePdf } from './table-pdf.ts';

/**
 * How a model reads a table of `buildTablePdf`. `stops_early`: an answer has at most 150 rows. `drops`: each 97th row of the
 * document is missing. `repeats`: an answer repeats the last row of the previous pages. `fails`: requests with page 2 fail. `cut`:
 * answers of more than 120 rows are cut, and so are those with the page in the middle.
 */
export type Reader = 'good' | 'stops_early' | 'drops' | 'repeats' | 'fails' | 'cut';
/** All but the good one. */
export const badReaders: readonly Reader[] = ['stops_early', 'drops', 'repeats', 'fails', 'cut'];

/** A model that answers with the rows on the pages of a piece. */
export function tableModel(
  { rows, account, closing, pageCount }: TablePdf,
  pages: readonly Pick<Page, 'page_num' | 'text'>[],
  reader: Reader,
): (piece: Piece) => Promise<PieceAnswer> {
  const pageOf = rows.map(({ reference }) => pages.find(({ text }) => text.includes(reference))!.page_num);
  return async ({ from, to }) => {
    const onPages = rows
      .map((row, index) => ({ row, index }))
      .filter(({ index }) => pageOf[index]! >= from && pageOf[index]! <= to);
    let answered = reader === 'drops' ? onPages.filter(({ index }) => index % 97 !== 50) : onPages;
    // This model stops early even on a single page.
    if (reader === 'stops_early') answered = answered.slice(0, Math.min(150, Math.max(1, answered.length - 2)));
    const middle = Math.ceil(pageCount / 2);
    if (reader === 'cut' && (answered.length > 120 || (from <= middle && to >= middle)))
      return { kind: 'cut', reason: new Error('cut') };
    if (reader === 'fails' && from <= 2 && to >= 2) return { kind: 'failed', reason: new Error('The service failed.') };
    const before = rows[(onPages[0]?.index ?? 0) - 1];
    const entries = answered.map(({ row }) => row);
    if (reader === 'repeats' && before) entries.unshift(before);
    return {
      kind: 'read',
      result: { account: from === 1 ? account : null, closing: to === pageCount ? closing : null, entries },
    };
  };
}
