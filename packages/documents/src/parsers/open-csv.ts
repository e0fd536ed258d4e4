import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from '../detect/decode-text.ts';
import { gridDocument } from '../grid/grid-pages.ts';
import { tableLines } from '../grid/table-lines.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';

const delimiters = [';', '\t', '|', ','];

/** Delimited tables: one row a line, columns aligned. */
export const openCsv: DocumentReader = (bytes, limits) => {
  const { text, delimiter } = withoutDirective(decodeText(bytes));
  return Promise.resolve(gridDocument(tableLines(readRows(text, delimiter, limits.pageCharacters))));
};

function readRows(text: string, delimiter: string, maxCharacters: number, quote: string | null = '"'): string[][] {
  try {
    return parse(text, {
      delimiter,
      quote,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxCharacters,
    });
  } catch (error) {
    // A quote that is left open is a sign like any other.
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED' && quote !== null)
      return readRows(text, delimiter, maxCharacters, null);
    if (!(error instanceof CsvError) || error.code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new ParseFailure(
      'page_too_large',
      `A row of the table has more than ${maxCharacters} characters. Divide it into rows with fewer columns, or close the quote that is left open, and upload that.`,
    );
  }
}

/** The table without the line `sep=;`, with which a file tells Excel its delimiter and which Excel does not show. */
function withoutDirective(text: string): { text: string; delimiter: string } {
  const [line, declared] = /^"?sep=(.)"?(?:\n|$)/i.exec(text) ?? [];
  return declared === undefined
    ? { text, delimiter: delimiterOf(text) }
    : { text: text.slice(line!.length), delimiter: declared };
}

/**
 * The delimiter that occurs equally often, outside quotes, in most of the first lines. Of several that do so the comma comes last: it
 * also stands in numbers and in names.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 16 * 1024)
    .replace(/(?<=^|[,;\t|])"(?:[^"]|"")*"/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const usual = counts.filter((count) => count > 0).sort((a, b) => a - b);
    const middle = usual[Math.floor(usual.length / 2)];
    return middle === undefined ? 0 : counts.filter((count) => count === middle).length;
  });
  return delimiters[scores.indexOf(Math.max(...scores))]!;
}
