import { format, getFormatDateInfo, isDateFormat } from 'numfmt';

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
    return format(pattern, number).trim();
  } catch {
    // A format that cannot be understood shows the value itself.
    return String(value);
  }
}
