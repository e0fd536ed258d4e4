import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from '../detect/decode-text.ts';
import { gridDocument } from '../grid/grid-pages.ts';
import { tableLines } from '../grid/table-lines.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';

const delimiters = [',', ';', '\t', '|'];

/** Delimited tables: one row a line, columns aligned. */
export const openCsv: DocumentReader = (bytes, limits) => {
  const text = decodeText(bytes);
  return Promise.resolve(gridDocument(tableLines(readRows(text, limits.pageCharacters))));
};

function readRows(text: string, maxCharacters: number): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxCharacters,
    });
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new ParseFailure(
      'page_too_large',
      `A row of the table has more than ${maxCharacters} characters. Divide it into rows with fewer columns, or close the quote that is left open, and upload that.`,
    );
  }
}

/** The delimiter that occurs equally often, outside quotes, in most of the first lines. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 16 * 1024)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split('\n')
    .slice(0, 20);
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
    const usual = counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    return counts.filter((count) => count === usual).length * Math.min(usual, 10);
  });
  return delimiters[scores.indexOf(Math.max(...scores))]!;
}
