import { eachCode, KeptCodes } from './folded-text.ts';

/** Hexadecimal digits of a text, each with its position in the text. */
export interface Digits {
  readonly digits: string;
  readonly positions: Uint32Array;
}

/** Digits that recognition takes for letters. */
const misread: Readonly<Record<string, string>> = { o: '0', l: '1', i: '1', z: '2', s: '5', g: '9', q: '9' };
const otherLetter = 1;
/** Longer words are looked at in parts. */
const maxWord = 256;
/** By ASCII code: the code of the digit, 0 for a sign, `otherLetter` for a letter that stands for no digit. */
const [asWritten, asMisread] = [{}, misread].map((letters: Readonly<Record<string, string>>) =>
  Uint8Array.from({ length: 128 }, (_, code) => {
    const letter = String.fromCharCode(code).toLowerCase();
    const digit = /[0-9a-f]/.test(letter) ? letter : letters[letter];
    return digit?.charCodeAt(0) ?? (/[a-z]/.test(letter) ? otherLetter : 0);
  }),
) as [Uint8Array, Uint8Array];

/**
 * The hexadecimal digits of a text, in any width and script: as they are, and with those that were read as letters, in words
 * that such digits can be.
 */
export function digitsOf(text: string): [Digits, Digits] {
  const written = new KeptCodes(text.length);
  const corrected = new KeptCodes(text.length);
  const word = new Uint8Array(maxWord);
  const places = new Uint32Array(maxWord);
  let length = 0;
  let isMisread = true;
  const finish = () => {
    const digits = isMisread ? asMisread : asWritten;
    for (let index = 0; index < length; index += 1) {
      const digit = digits[word[index]!]!;
      if (digit > otherLetter) corrected.add(digit, places[index]!);
    }
    length = 0;
  };
  eachCode(text, (code, at) => {
    const other = code < 128 ? asMisread[code]! : otherLetter;
    if (other === 0) {
      if (length > 0) finish();
      isMisread = true;
      return;
    }
    if (other === otherLetter) isMisread = false;
    if (code >= 128) return;
    const digit = asWritten[code]!;
    if (digit > otherLetter) written.add(digit, at);
    if (length === maxWord) finish();
    word[length] = code;
    places[length] = at;
    length += 1;
  });
  finish();
  return [written, corrected].map((kept) => {
    const { text: digits, positions } = kept.read();
    return { digits, positions };
  }) as [Digits, Digits];
}

/** Whatever way an id is written, its first digits stand in a row, or its last ones backwards. */
export const startsOfAnId = (id: string): string[] => [
  id.slice(0, partLength),
  Array.from(id.slice(-partLength)).toReversed().join(''),
];

/** All digits in a row of a text by which `startsOfAnId` can be looked up. */
export function startsIn(text: string): Set<string> {
  const starts = new Set<string>();
  for (const { digits } of digitsOf(text)) {
    for (let at = 0; at + partLength <= digits.length; at += 1) starts.add(digits.slice(at, at + partLength));
  }
  return starts;
}

type Range = [first: number, last: number];

/**
 * Looks for an id among the digits of a text: whole, in parts one after the other, with its two parts exchanged, and
 * backwards. Each returns the positions of its first and last digit.
 */
export const waysToWriteAnId: readonly ((digits: Digits, id: string) => Range | undefined)[] = [
  findWhole,
  findSplitId,
  findExchanged,
  (digits, id) => findWhole(digits, Array.from(id).toReversed().join('')),
];

function findWhole({ digits }: Digits, id: string): Range | undefined {
  const first = digits.indexOf(id);
  return first === -1 ? undefined : [first, first + id.length - 1];
}

/** Shorter parts stand by chance in many texts. */
const minExchanged = 6;

/** “… 125d79734336, and before it 6b0bf417de1d”: the second part of an id, and soon behind it the first. */
function findExchanged({ digits, positions }: Digits, id: string): Range | undefined {
  for (let length = minExchanged; length <= id.length - minExchanged; length += 1) {
    const [start, end] = [id.slice(0, length), id.slice(length)];
    const first = digits.indexOf(end);
    if (first === -1) continue;
    const next = digits.indexOf(start, first + end.length);
    if (next !== -1 && positions[next]! - positions[first + end.length - 1]! <= maxGap)
      return [first, next + length - 1];
  }
  return undefined;
}

/** Digits in a row that make a part of an id: shorter ones stand in almost every text. */
const partLength = 3;
/** Characters of the text between two parts. */
const maxGap = 200;
/** Steps of a search for each digit of a text; an ordinary one takes a twentieth. */
const maxEffort = 2;

/**
 * The place of an id whose parts a text says one after the other, with words between them (“starts with …, then …”). The
 * letters of such words are digits too, so they part an id for a search that only leaves out other characters.
 *
 * @returns the positions of its first and last digit among the digits. A text that takes too long to search counts as one
 * that holds the id.
 */
function findSplitId({ digits, positions }: Digits, id: string): Range | undefined {
  let effort = digits.length * maxEffort + 1_000;
  const start = id.slice(0, partLength);
  for (let first = digits.indexOf(start); first !== -1; first = digits.indexOf(start, first + 1)) {
    let known = 0;
    let at = first;
    for (;;) {
      const before = known;
      while (known < id.length && digits[at] === id[known]) {
        known += 1;
        at += 1;
      }
      effort -= 1 + known - before;
      if (known === id.length) return [first, at - 1];
      known = Math.min(known, id.length - partLength);
      const next = id.slice(known, known + partLength);
      const last = positions[at - 1] ?? 0;
      while (at < digits.length && positions[at]! - last <= maxGap && !digits.startsWith(next, at)) {
        at += 1;
        effort -= 1;
      }
      if (effort < 0) return [first, first];
      if (!digits.startsWith(next, at) || positions[at]! - last > maxGap) break;
    }
  }
  return undefined;
}
