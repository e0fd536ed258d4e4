import type { Line } from '../../page/layout.ts';
import { numberFrom } from '../../values/amount.ts';
import type { PageContext } from '../reading/page-context.ts';

/** A number on a line of a receipt. */
export interface ItemNumber {
  value: number;
  written: string;
  hasCents: boolean;
  /** Whether it stands beside a sign of multiplication. */
  isCount: boolean;
  /** The columns of the line where it stands; `end` is exclusive. */
  start: number;
  end: number;
}

/** A line of a receipt that ends with an amount. */
export interface ItemLine {
  line: Line;
  /** The text before the numbers; undefined where the line has numbers and codes alone. */
  text?: string;
  /** A number before the text. */
  countBefore?: ItemNumber;
  /** The numbers after the text without the amount, from left to right. */
  numbers: ItemNumber[];
  amount: ItemNumber;
}

/** A tax code or another mark after an amount. */
const flag = /^\*?[A-Z]{1,4}\*?$/u;
const times = /^[x×*@]$/iu;
/** A scan can read the figure 1 as a letter. */
const oneLikeLetter = /^[ilI|]$/u;
const currency = /^(?:RM|EUR|CHF|Fr\.?|USD|GBP|[€$£¥])$/u;
/** A letter can stand before or after a number without a space, and a scan can read `$` as `S`. */
const numberToken =
  /^(?<before>[x×*@])?(?:RM|EUR|[€$£¥]|S(?=\d+[.,]\d{2}$))?(?<digits>\d{1,3}(?:[.,]\d{3})+[.,]\d{2}|\d{1,6}(?:[.,]\d{1,3})?)(?<after>[x×*])?(?<letters>[A-Z]{1,2})?$/iu;
/** The number of an article, alone or with letters. */
const code = /^(?=.*\d{4})[A-Z]{0,4}[\dA-Z/-]{5,}-?$/u;

interface Token {
  text: string;
  start: number;
  /** Whether a wide gap is before it. */
  isApart: boolean;
}

/** Reads a line that ends with an amount, with or without cents; undefined for other lines. */
export function readItemLine(line: Line, { decimal }: PageContext): ItemLine | undefined {
  const tokens = line.cells.flatMap((cell) =>
    [...cell.text.matchAll(/\S+/gu)].map(({ 0: text, index }): Token => ({
      text,
      start: cell.start + index,
      isApart: index === 0,
    })),
  );
  const readNumber = ({ text, start }: Token): ItemNumber | undefined => {
    const { digits, before, after } = numberToken.exec(text)?.groups ?? {};
    const value = digits === undefined ? null : numberFrom(digits, decimal);
    if (digits === undefined || value === null) return undefined;
    const isCount = (before ?? after ?? '') !== '' && before !== '@';
    const end = start + text.lastIndexOf(digits) + digits.length;
    return { value, written: digits, hasCents: /[.,]\d{2}$/u.test(digits), isCount, start, end };
  };
  let last = tokens.length - 1;
  if (last > 0 && flag.test(tokens[last]!.text) && !times.test(tokens[last]!.text)) last -= 1;
  const ending = tokens[last];
  if (!ending) return undefined;
  const amount = readNumber(ending);
  // `@ 63.00` is the price of one.
  if (!amount || amount.isCount || ending.text.startsWith('@') || tokens[last - 1]?.text === '@') return undefined;
  if (!amount.hasCents && !(ending.isApart && /^\d{3,5}$/u.test(amount.written))) return undefined;
  const numbers: ItemNumber[] = [];
  let start = last;
  // Numbers stand apart from the text, or beside a sign of multiplication.
  let pending: ItemNumber[] = [];
  for (let at = last - 1; at >= 0; at -= 1) {
    const token = tokens[at]!;
    const number = readNumber(token);
    const next = tokens[at + 1]!.text;
    if (number) pending.unshift({ ...number, isCount: number.isCount || /^[x×*]$/iu.test(next) });
    else if (oneLikeLetter.test(token.text) && times.test(next))
      pending.unshift({
        value: 1,
        written: '1',
        hasCents: false,
        isCount: true,
        start: token.start,
        end: token.start + 1,
      });
    else if (!times.test(token.text) && !currency.test(token.text)) break;
    if (token.isApart || pending.some(({ isCount }) => isCount)) {
      numbers.unshift(...pending);
      pending = [];
      start = at;
    }
  }
  // A long number is the code of an article.
  const first = numbers[0];
  if (first && !first.hasCents && first.value > maxCount) numbers.shift();
  return { line, numbers, amount, ...textBefore(tokens.slice(0, start), readNumber) };
}

const maxCount = 999;

function textBefore(
  tokens: readonly Token[],
  readNumber: (token: Token) => ItemNumber | undefined,
): Pick<ItemLine, 'text' | 'countBefore'> {
  const [first, second] = tokens;
  const count = first && readNumber(first);
  const isCount = count !== undefined && !count.hasCents && count.value > 0 && count.value <= maxCount;
  const rest = isCount ? tokens.slice(second && /^[x×]$/iu.test(second.text) ? 2 : 1) : tokens;
  const text = itemText(rest.map((token) => token.text).join(' '));
  return { ...(text !== undefined && { text }), ...(isCount && { countBefore: count }) };
}

/** The text of an item without codes and marks; undefined where nothing else is left. */
export function itemText(written: string): string | undefined {
  const words = written.split(/\s+/u);
  const isCode = (word: string | undefined): boolean => word !== undefined && code.test(word);
  while (isCode(words[0]) || (/^[A-Z]{1,3}$/u.test(words[0] ?? '') && isCode(words[1]))) words.shift();
  while (/^\*?[A-Z]$/u.test(words.at(-1) ?? '') && words.at(-1)!.startsWith('*')) words.pop();
  const text = words.join(' ').replace(/[\s.:]+$/u, '');
  if (!/\p{L}{2}/u.test(text) || flag.test(text) || isCodeAlone(text)) return undefined;
  return text;
}

/** `WA45-/2A 12` or `GL-7/60`: the place of an article. */
function isCodeAlone(text: string): boolean {
  return /^[A-Z\d]{1,8}[-/][\dA-Z/ -]*$/u.test(text) && /\d/u.test(text) && !/(?:^| )\p{L}{3,}(?: |$)/u.test(text);
}
