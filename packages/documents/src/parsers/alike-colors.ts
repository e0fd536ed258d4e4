/** Letters and background that differ less on every channel look the same. */
const minDifference = 10;

/** What letters are seen on: a colour in hexadecimal digits, or a pattern, a picture or a style that is not computed. */
export type Background = string;

export const unknownBackground: Background = 'unknown';
export const white: Background = 'FFFFFF';

/** Whether letters in a colour cannot be told from what is behind them. Colours that are not known can. */
export function looksAlike(letters: string | undefined, behind: Background): boolean {
  const [one, other] = [channels(letters), channels(behind)];
  return (
    one !== undefined && other !== undefined && one.every((each, at) => Math.abs(each - other[at]!) < minDifference)
  );
}

function channels(color: string | undefined): number[] | undefined {
  const [, ...parts] = /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/iu.exec(color ?? '') ?? [];
  return parts.length === 3 ? parts.map((part) => Number.parseInt(part, 16)) : undefined;
}
