import { wordsOf } from '../page/fold.ts';
import { overlap, type Line } from '../page/layout.ts';
import type { DocumentText } from '../page/document-text.ts';
import type { JsonSchema } from '../fill/json-schema.ts';
import { amountsIn, decimalSignOf } from '../values/amount.ts';

const fewestColumns = 2;
const fewestRows = 2;
/** Two columns are weak evidence: a table of two needs more rows, and numbers in one of them. */
const fewestRowsOfPairs = 3;

/** A list of rows for the first table whose header names at least two columns; null where there is none. */
export function rowsFromTable(document: DocumentText): JsonSchema | null {
  const decimal = decimalSignOf(document.lines.map((line) => line.text).join('\n'));
  for (const line of document.lines) {
    if (!isHeader(line)) continue;
    const rows = rowsBelow(document, line);
    if (rows.length < fewestRows) continue;
    const columns = line.cells.flatMap((header): [string, JsonSchema][] => {
      const name = wordsOf(header.text).replaceAll(' ', '_');
      const cells = rows.flatMap((row) => row.cells.filter((cell) => overlap(cell, header) > 0));
      const isNumeric =
        cells.length > 0 && cells.every(({ text }) => !/\p{L}/u.test(text) && amountsIn(text, decimal).length === 1);
      const type = isNumeric ? 'number' : 'string';
      return name === '' ? [] : [[name, { type: [type, 'null'], description: `Column “${header.text}”` }]];
    });
    const properties = Object.fromEntries(columns);
    const isPairs = columns.length === fewestColumns;
    const hasNumbers = Object.values(properties).some(({ type }) => type?.includes('number'));
    if (Object.keys(properties).length < fewestColumns || (isPairs && (!hasNumbers || rows.length < fewestRowsOfPairs)))
      continue;
    const items = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    return { type: 'array', description: 'One entry for each row of the table', items };
  }
  return null;
}

function isHeader(line: Line): boolean {
  const names = line.cells.filter(({ text }) => /^\p{L}/u.test(text) && text.length <= 30 && !/[:\d]/u.test(text));
  return line.cells.length >= fewestColumns && names.length === line.cells.length;
}

/** The lines right below with nearly as many cells as the header. */
function rowsBelow(document: DocumentText, header: Line): Line[] {
  const rows: Line[] = [];
  for (const line of document.lines.slice(header.index + 1)) {
    if (line.cells.length === 0 && rows.length === 0) continue;
    if (line.cells.length < Math.max(fewestColumns, header.cells.length - 1)) break;
    rows.push(line);
  }
  return rows;
}
