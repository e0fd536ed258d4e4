export type ExportFormat = 'xlsx' | 'csv' | 'ndjson';

const [quote, lineEnd] = ['"'.charCodeAt(0), '\n'.charCodeAt(0)];

/**
 * Counts the rows of a file while it arrives: a text of a CSV file in quotes can contain line ends. Undefined for a
 * workbook, whose bytes are compressed.
 */
export function createRowCounter(format: ExportFormat): (bytes: Uint8Array) => number | undefined {
  if (format === 'xlsx') return () => undefined;
  // The header of a CSV file is no row.
  let rows = format === 'csv' ? -1 : 0;
  let isQuoted = false;
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === quote && format === 'csv') isQuoted = !isQuoted;
      else if (byte === lineEnd && !isQuoted) rows += 1;
    }
    return Math.max(rows, 0);
  };
}
