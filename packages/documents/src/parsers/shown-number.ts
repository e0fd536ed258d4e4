import { format, formatColor, getFormatDateInfo, isDateFormat } from 'numfmt';

/** Days between the calendars that begin in 1900 and in 1904. */
const daysTo1904 = 1462;

/** A number or a text as Excel shows it in a cell that is wide enough. */
export function shownAs(value: number | string, pattern: string, is1904: boolean): string {
  try {
    let number = value;
    if (typeof number === 'number' && is1904 && isDateFormat(pattern)) {
      const { year, month, day } = getFormatDateInfo(pattern);
      if (year || month || day) number += daysTo1904;
    }
    return format(isDateFormat(pattern) ? pattern : withoutLanguage(pattern), number).trim();
  } catch {
    // A format that cannot be understood shows the value itself.
    return String(value);
  }
}

/**
 * A format of numbers without the language that its currency names: Excel writes all numbers with the separators of the computer, and
 * only the names of days and months in that language.
 */
function withoutLanguage(pattern: string): string {
  return pattern.replaceAll(/\[\$([^\]-]*)-[^\]]*\]/gu, (_, symbol: string) => (symbol === '' ? '' : `[$${symbol}]`));
}

/** Whether a number format makes a value white. */
export function isWrittenWhite(value: number | string | boolean, pattern: string): boolean {
  if (!/\[white\]/iu.test(pattern)) return false;
  try {
    return formatColor(pattern, value) === 'white';
  } catch {
    return false;
  }
}
