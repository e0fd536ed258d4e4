import type { MachineData } from '@docwright/contract';
import { parse as parseMrz } from 'mrz';
import { hundredths, type Box } from '../page/box.ts';
import type { Word } from '../page/page.ts';

/** The formats of ICAO Doc 9303: passports, cards, and visas of the two sizes of lines. */
const formats = [
  { lines: 2, length: 44 },
  { lines: 2, length: 36 },
  { lines: 3, length: 30 },
] as const;

/** A line of recognised fillers can be longer or shorter by this much. */
const maxLengthFault = 8;
/** A page of cards has fewer. */
const maxZones = 20;
/** A kind of document, the state that issued it, and a name or a number. */
const firstLine = /^[PVIAC][A-Z0-9<][A-Z]{1,3}<{0,2}[A-Z0-9]/u;

interface Row extends Box {
  text: string;
}

/** The lines for machines of passports, identity cards and visas among the words of a page, from the top. */
export function readMrz(words: readonly Word[]): MachineData[] {
  if (!words.some(({ text }) => /<<|[«＜‹]/u.test(text))) return [];
  const rows = rowsOf(words);
  const found: MachineData[] = [];
  for (let at = 0; at < rows.length && found.length < maxZones; at += 1) {
    const read = formats
      .map((format) => readZone(rows.slice(at, at + format.lines), format))
      .filter((zone) => zone !== undefined)
      .sort((one, other) => one.fault - other.fault)[0];
    if (!read) continue;
    found.push(read.data);
    at += read.rows - 1;
  }
  return found;
}

/** What rows say in a format, and how much their length differs from it. */
function readZone(
  rows: readonly Row[],
  { lines, length }: (typeof formats)[number],
): { data: MachineData; rows: number; fault: number } | undefined {
  const zone = rows.length === lines && isZone(rows) && fitted(rows, length);
  const read = zone && firstLine.test(zone[0]!) && readLines(zone);
  if (!read) return undefined;
  const box = {
    x0: hundredths(Math.min(...rows.map((row) => row.x0))),
    y0: hundredths(rows[0]!.y0),
    x1: hundredths(Math.max(...rows.map((row) => row.x1))),
    y1: hundredths(rows.at(-1)!.y1),
  };
  const fault = rows.reduce((sum, { text }) => sum + Math.abs(text.length - length), 0);
  return { data: { ...read, box }, rows: lines, fault };
}

/** Rows that consist of the characters of such lines alone. */
function rowsOf(words: readonly Word[]): Row[] {
  const rows: Row[] = [];
  const sorted = words
    .map(({ text, x0, y0, x1, y1 }) => ({ text: inItsCharacters(text), x0, y0, x1, y1 }))
    .filter(({ text }) => /^[A-Z0-9<]+$/u.test(text))
    .sort((one, other) => one.x0 - other.x0);
  for (const word of sorted) {
    const middle = (word.y0 + word.y1) / 2;
    const row = rows.find(({ y0, y1 }) => middle > y0 && middle < y1);
    if (!row) rows.push({ ...word });
    else {
      row.text += word.text;
      row.x1 = Math.max(row.x1, word.x1);
      row.y0 = Math.min(row.y0, word.y0);
      row.y1 = Math.max(row.y1, word.y1);
    }
  }
  return rows.filter(({ text }) => text.length >= 30 - maxLengthFault).sort((one, other) => one.y0 - other.y0);
}

/** Fillers are recognised as other signs of the same look. */
function inItsCharacters(text: string): string {
  return text.replaceAll('«', '<<').replaceAll(/[＜‹]/gu, '<');
}

/** Whether rows follow each other without a gap for another line, and have fillers. */
function isZone(rows: readonly Row[]): boolean {
  return (
    rows.some(({ text }) => text.includes('<<')) &&
    rows.slice(1).every((row, index) => row.y0 - rows[index]!.y1 < 1.5 * (row.y1 - row.y0) + 2)
  );
}

/** The rows with exactly this length. Only the longest run of fillers may change for that: it says nothing. */
function fitted(rows: readonly Row[], length: number): string[] | undefined {
  const lines = rows.map(({ text }) => {
    const missing = length - text.length;
    if (missing === 0) return text;
    const [longest = ''] = (text.match(/<+/gu) ?? []).toSorted((one, other) => other.length - one.length);
    const isFilling = longest.length >= 3 && longest.length + missing >= 1 && Math.abs(missing) <= maxLengthFault;
    return isFilling ? text.replace(longest, '<'.repeat(longest.length + missing)) : '';
  });
  return lines.every((line) => line.length === length) ? lines : undefined;
}

/** The check digit of each field. */
const checkOf: Readonly<Record<string, string>> = {
  documentNumber: 'documentNumberCheckDigit',
  birthDate: 'birthDateCheckDigit',
  expirationDate: 'expirationDateCheckDigit',
  personalNumber: 'personalNumberCheckDigit',
};
const isCheck = (field: string): boolean => field.endsWith('CheckDigit');

function readLines(lines: string[]): MachineData | undefined {
  if (lines[0]!.startsWith('V')) return readVisa(lines);
  let read: ReturnType<typeof parseMrz>;
  try {
    read = parseMrz(lines);
  } catch {
    return undefined;
  }
  const { details, format } = read;
  const wrong = new Set(details.filter(({ valid }) => !valid).map(({ field }) => field));
  // Letters and fillers that only look like such lines have no right check digit.
  if (details.every(({ field, valid }) => !field || !isCheck(field) || !valid)) return undefined;
  const data: Record<string, string> = {};
  const problems: string[] = [];
  for (const { field, value, label, valid } of details) {
    if (!field) continue;
    if (!valid) problems.push(`${label}: ${isCheck(field) ? 'it does not fit' : 'not readable'}.`);
    else if (value && !isCheck(field) && !wrong.has(checkOf[field] as never)) data[nameOf(field)] = value;
  }
  return mrzData(format.toLowerCase(), data, problems, lines);
}

function nameOf(field: string): string {
  return field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/** A check digit of ICAO Doc 9303: weights 7, 3 and 1; letters are numbers from 10, fillers are 0. */
function isChecked(text: string, digit: string): boolean {
  const weights = [7, 3, 1];
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = text[index] === '<' ? 0 : Number.parseInt(text[index]!, 36);
    sum += value * weights[index % 3]!;
  }
  return String(sum % 10) === digit;
}

const clean = (text: string): string => text.replaceAll('<', ' ').trim();

/** The two lines of a visa: those of format A have 44 characters, those of format B 36. Undefined if no check digit is right. */
function readVisa([first, second]: readonly string[]): MachineData | undefined {
  if (first === undefined || second === undefined) return undefined;
  const problems: string[] = [];
  const data: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    if (clean(value) !== '') data[name] = clean(value);
  };
  set('document_code', first.slice(0, 2));
  set('issuing_state', first.slice(2, 5));
  const [last = '', given = ''] = first.slice(5).split('<<', 2);
  set('last_name', last);
  set('first_name', given);
  const checked = (name: string, label: string, start: number, end: number): void => {
    const value = second.slice(start, end);
    if (isChecked(value, second[end]!)) set(name, value);
    else problems.push(`${label} check digit: it does not fit.`);
  };
  checked('document_number', 'Document number', 0, 9);
  checked('birth_date', 'Birth date', 13, 19);
  checked('expiration_date', 'Expiration date', 21, 27);
  if (problems.length === 3) return undefined;
  set('nationality', second.slice(10, 13));
  if (/[MF]/u.test(second[20]!)) data['sex'] = second[20] === 'M' ? 'male' : 'female';
  set('optional', second.slice(28));
  return mrzData(first.length === 44 ? 'mrv_a' : 'mrv_b', data, problems, [first, second]);
}

/** No document is valid for longer. */
const maxYears = 20;

/**
 * With dates as dates. Of the years that two digits allow, the end of validity has the last one within twenty years from now, and the
 * birth the last one before the end of validity.
 */
function mrzData(
  profile: string,
  data: Readonly<Record<string, string>>,
  problems: readonly string[],
  lines: readonly string[],
): MachineData {
  const dates: Record<string, string> = {};
  const today = new Date().toISOString().slice(0, 10);
  const expires = dateOf(data['expiration_date'], `${Number(today.slice(0, 4)) + maxYears}${today.slice(4)}`);
  if (expires) dates['expiration_date'] = expires;
  const born = dateOf(data['birth_date'], expires ?? today);
  if (born) dates['birth_date'] = born;
  const checked = { ...data, ...dates, ...(problems.length > 0 ? { problems } : {}), lines };
  return { kind: 'mrz', profile, data: checked };
}

/** `740812` as the last such date up to `latest`; undefined for a date with unknown parts. */
function dateOf(text: string | undefined, latest: string): string | undefined {
  if (text === undefined || !/^\d{6}$/u.test(text)) return undefined;
  const date = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`;
  return date <= latest ? date : `19${date.slice(2)}`;
}
