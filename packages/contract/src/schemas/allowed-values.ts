/**
 * Parses a column's `allowedValues`: values separated by commas, without surrounding spaces and empty entries. A value with
 * a comma, a quote, a line break or spaces at its ends is written in double quotes, with quotes inside doubled. Returns the
 * problem as a text for users if a quote is not closed.
 *
 * @example
 * readAllowedValues('open, "paid, late"'); // { values: ['open', 'paid, late'] }
 */
export function readAllowedValues(text: string): { values: string[]; problem?: undefined } | { problem: string } {
  const values: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at + /^\s*/.exec(text.slice(at))![0].length;
    if (text[start] === '"') {
      const quoted = /^"((?:[^"]|"")*)"\s*(,|$)/.exec(text.slice(start));
      if (quoted === null) {
        return {
          problem: `The allowed values have a quote that is not closed before the next comma, at ${text.slice(start, start + 30)}. Write a value with a comma as "a, b", and a quote in it twice.`,
        };
      }
      values.push(quoted[1]!.replaceAll('""', '"'));
      at = start + quoted[0].length;
      continue;
    }
    const comma = text.indexOf(',', start);
    const end = comma === -1 ? text.length : comma;
    const value = text.slice(start, end).trim();
    if (value !== '') values.push(value);
    at = end + 1;
  }
  return { values };
}

/** Formats a list so that `readAllowedValues` returns the same values. */
export function writeAllowedValues(values: readonly string[]): string {
  return values.map(quoteIfNeeded).join(', ');
}

function quoteIfNeeded(value: string): string {
  const isPlain = value !== '' && value === value.trim() && !/[",\r\n]/.test(value);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}
