import { format, formatColor, getFormatDateInfo, isDateFormat } from 'numfmt';
import { withSpelledNumbers } from './asian-numbers.ts';

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
    const isDate = isDateFormat(pattern);
    const spelled = spellingOf(pattern, isDate);
    const plain = pattern.replaceAll(spellings, '');
    if (!isDate) return spelled(format(withoutLanguage(plain), number).trim());
    return spelled(shownDate(typeof number === 'number' ? withEra(plain, number) : plain, number).trim());
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

/** Years of emperors, from the latest on: the first day, the letter and the name. */
const eras = [
  [Date.UTC(2019, 4, 1), 'R', '令和'],
  [Date.UTC(1989, 0, 8), 'H', '平成'],
  [Date.UTC(1926, 11, 25), 'S', '昭和'],
  [Date.UTC(1912, 6, 30), 'T', '大正'],
  [Date.UTC(1868, 0, 25), 'M', '明治'],
] as const;
const calendarStart = Date.UTC(1899, 11, 30);
const millisecondsOfDay = 24 * 60 * 60 * 1000;
/** The year before the first of the Republic of China. */
const beforeRepublic = 1911;
const japanese = /\[\$-(?:[\da-f]*0?411|ja)\b/iu;
const korean = /\[\$-(?:[\da-f]*0?412|ko)\b/iu;
const taiwanese = /\[\$-(?:[\da-f]*0?404|zh-TW)\b/iu;

/** A format of dates with the years of its language's own calendar written out, which the library takes for those of ours. */
function withEra(pattern: string, value: number): string {
  const isJapanese = japanese.test(pattern);
  if (!isJapanese && !taiwanese.test(pattern)) return pattern;
  const moment = calendarStart + Math.floor(value) * millisecondsOfDay;
  const year = new Date(moment).getUTCFullYear();
  const era = eras.find(([start]) => start <= moment);
  if (isJapanese && era === undefined) return pattern;
  const [start = 0, letter = '', name = ''] = (isJapanese && era) || [];
  const ofEra = isJapanese ? year - new Date(start).getUTCFullYear() + 1 : year - beforeRepublic;
  const years = (digits: number): string =>
    ofEra === 1 && /gannen/iu.test(pattern) ? '元' : String(ofEra).padStart(digits, '0');
  const names = isJapanese ? ['', letter, name.slice(0, 1), name] : ['', '民國', '民國', '中華民國'];
  const nameOf = (signs: string): string => names[Math.min(signs.length, 3)]!;
  return pattern.replaceAll(
    /"[^"]*"|\\.|_.|\[[^\]]*\]|(g*)(e+)|g+|r+/giu,
    (found, signs: string = '', ofYear?: string) => {
      if (ofYear !== undefined) return `"${nameOf(signs)}${years(Math.min(ofYear.length, 2))}"`;
      if (/^g/iu.test(found)) return `"${nameOf(found)}"`;
      if (!/^r/iu.test(found) || !isJapanese) return found;
      return `"${found.length > 1 ? name : ''}${years(2)}"`;
    },
  );
}

const spellings = /\[DBNum([1-4])\]/giu;
const notPlaces = /"[^"]*"|\\.|_.|\[[^\]]*\]/gu;

/** Writes the numbers of a shown text out as the format says. Places for digits are filled one by one. */
function spellingOf(pattern: string, isDate: boolean): (text: string) => string {
  const kind = [...pattern.matchAll(spellings)][0]?.[1];
  if (kind === undefined) return (text) => text;
  const language = japanese.test(pattern)
    ? 'ja'
    : taiwanese.test(pattern)
      ? 'zh-TW'
      : korean.test(pattern)
        ? 'ko'
        : 'zh-CN';
  const manner = isDate ? 'date' : /[0#?]/u.test(pattern.replaceAll(notPlaces, '')) ? 'digits' : 'counted';
  return (text) => withSpelledNumbers(text, { language, kind: Number(kind), manner });
}

/** Months as a date names them in the languages that decline them, for which Excel has numbers of its own. */
const declinedMonths: Readonly<Record<string, string>> = {
  '419': 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  '422': 'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня',
};

/** A date or time, with what the library does not know: declined months, Spanish by its usual number, and the short halves of the day, `a/p`. */
function shownDate(pattern: string, value: number | string): string {
  let signs = '';
  const known = pattern.replaceAll(
    /"[^"]*"|\\.|\[\$-(?:0*c0a|fc(19|22))[^\]]*\]|\[[^\]]*\]|(a\/p)/giu,
    (found, declined: string | undefined, short: string | undefined) => {
      signs = short ?? signs;
      if (short !== undefined) return 'AM/PM';
      if (/c0a/iu.test(found)) return '[$-40A]';
      return declined === undefined ? found : `[$-4${declined}]`;
    },
  );
  const [, language = ''] = /\[\$-fc(19|22)/iu.exec(pattern) ?? [];
  const months = declinedMonths[`4${language}`]?.split(' ');
  const named = months && typeof value === 'number' ? known.replace(/m{4}/u, `"${months[monthOf(value)]}"`) : known;
  const text = format(named, value);
  return signs === '' ? text : text.replace(/([AP])M/u, (_, half) => (half === 'A' ? signs[0]! : signs[2]!));
}

function monthOf(value: number): number {
  return new Date(calendarStart + Math.floor(value) * millisecondsOfDay).getUTCMonth();
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
