import type { Page } from '../page/page.ts';
import type { Piece } from '../pieces/plan-pieces.ts';
import type { PieceAnswer } from '../pieces/read-in-pieces.ts';
import type { TablePdf } from './table-pdf.ts';

/**
 * How a model reads a table of `buildTablePdf`. `stops_early`: no more than 150 rows an answer. `drops`: each 97th row of the
 * document. `repeats`: the last row of the pages before, again. `fails`: one page. `cut`: more than 120 rows go beyond its output, and
 * the page in the middle does alone.
 */
export type Reader = 'good' | 'stops_early' | 'drops' | 'repeats' | 'fails' | 'cut';
export const badReaders: readonly Reader[] = ['stops_early', 'drops', 'repeats', 'fails', 'cut'];

/** Answers with the rows of a piece's pages. */
export function tableModel(
  { rows, account, closing, pageCount }: TablePdf,
  pages: readonly Pick<Page, 'page_num' | 'text'>[],
  reader: Reader,
): (piece: Piece) => Promise<PieceAnswer> {
  const pageOf = rows.map(({ reference }) => pages.find(({ text }) => text.includes(reference))!.page_num);
  return async ({ from, to }) => {
    const seen = rows
      .map((row, index) => ({ row, index }))
      .filter(({ index }) => pageOf[index]! >= from && pageOf[index]! <= to);
    let told = reader === 'drops' ? seen.filter(({ index }) => index % 97 !== 50) : seen;
    // This model stops early even on a single page.
    if (reader === 'stops_early') told = told.slice(0, Math.min(150, Math.max(1, told.length - 2)));
    const middle = Math.ceil(pageCount / 2);
    if (reader === 'cut' && (told.length > 120 || (from <= middle && to >= middle)))
      return { kind: 'cut', reason: new Error('cut') };
    if (reader === 'fails' && from <= 2 && to >= 2) return { kind: 'failed', reason: new Error('The service failed.') };
    const before = rows[(seen[0]?.index ?? 0) - 1];
    const listed = told.map(({ row }) => row);
    if (reader === 'repeats' && before) listed.unshift(before);
    return {
      kind: 'read',
      result: { account: from === 1 ? account : null, closing: to === pageCount ? closing : null, entries: listed },
    };
  };
}
