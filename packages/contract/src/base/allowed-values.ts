/**
 * A column's `allowedValues` as a list: separated by commas, spaces around a value do not count, empty places are left
 * out. A value that holds a comma, a quote or a line break, or begins or ends with a space, stands in double quotes, a
 * quote in it twice. Gives the problem, in words for a person, where a quote is not closed.
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
  return values.map(written).join(', ');
}

function written(value: string): string {
  const isPlain = value !== '' && value === value.trim() && !/[",\r\n]/.test(value);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}
