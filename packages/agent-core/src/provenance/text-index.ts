/** A searchable text with its place. */
export interface IndexedText<Place> {
  readonly text: string;
  readonly place: Place;
}

/** A match in a text, with offsets in UTF-16 units. */
export interface TextMatch<Place> extends IndexedText<Place> {
  readonly start: number;
  readonly end: number;
}

/** A word. In scripts without spaces each character is a word. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[[\p{L}\p{N}\p{M}\p{Cf}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]+/gv;
const ascii = /^[\0-\x7f]*$/;

/** Normalizes a word: letter case, width, the script of digits and invisible characters are ignored. */
function normalizeWord(text: string): string {
  return foldDigits(text.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
}

const foreignDigit = /(?![0-9])\p{Nd}/gu;

/** Replaces the decimal digits of every script by those of ASCII: a model reads them as the same number. */
function foldDigits(text: string): string {
  return text.replace(foreignDigit, (digit) => {
    // The digits of a script have consecutive code points that start at its zero.
    let zero = digit.codePointAt(0)!;
    const value = zero;
    while (value - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(value - zero);
  });
}

const isDigit = /^\p{Nd}$/u;

/** The normalized words of a text in order. All other characters separate words, underscores too. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (normalized) => words.push(normalized));
  return words;
}

function eachWord(text: string, onWord: (normalized: string, start: number, end: number) => void): void {
  if (ascii.test(text)) {
    const lower = text.toLowerCase();
    let start = -1;
    for (let at = 0; at <= lower.length; at += 1) {
      const code = at < lower.length ? lower.charCodeAt(at) : 0;
      const isPart = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
      if (isPart && start === -1) start = at;
      if (isPart || start === -1) continue;
      onWord(lower.slice(start, at), start, at);
      start = -1;
    }
    return;
  }
  for (const match of text.matchAll(word)) {
    const normalized = normalizeWord(match[0]);
    if (normalized !== '') onWord(normalized, match.index, match.index + match[0].length);
  }
}

/**
 * An index of texts by their words. The cost of a look-up is the number of places of the phrase's rarest word. The total
 * cost of all look-ups is bounded in proportion to the texts; beyond the bound `find` returns `exhausted`.
 *
 * @example
 * import { TextIndex, wordsOf } from './text-index.ts';
 *
 * const index = new TextIndex<string>();
 * index.add({ text: 'Total: 119.00 EUR', place: 'page 1' });
 * index.find(wordsOf('119.00')); // { place: 'page 1', start: 7, end: 13, … }
 */
export class TextIndex<Place> {
  readonly #texts: IndexedText<Place>[] = [];
  readonly #words: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #textOf: number[] = [];
  readonly #places = new Map<string, number[]>();
  readonly #digits: Digits[] = [];
  /** The texts without invisible characters, built on first use. */
  readonly #visible: string[] = [];
  #characters = 0;
  #spent = 0;
  readonly #base: TextIndex<Place> | undefined;

  /** @param base an index that is searched first */
  constructor(base?: TextIndex<Place>) {
    this.#base = base;
    if (base) base.#spent = 0;
  }

  add(added: IndexedText<Place>): void {
    const at = this.#texts.push(added) - 1;
    this.#characters += added.text.length;
    eachWord(added.text, (normalized, start, end) => {
      const position = this.#words.push(normalized) - 1;
      this.#starts.push(start);
      this.#ends.push(end);
      this.#textOf.push(at);
      const known = this.#places.get(normalized);
      if (known === undefined) this.#places.set(normalized, [position]);
      else known.push(position);
    });
  }

  /** The first occurrence of consecutive words in one text. */
  find(phrase: readonly string[]): TextMatch<Place> | 'exhausted' | undefined {
    const before = this.#base?.find(phrase);
    if (before !== undefined) return before;
    let offset = 0;
    let rarest: readonly number[] | undefined;
    for (const [at, each] of phrase.entries()) {
      const places = this.#places.get(each);
      if (places === undefined) return undefined;
      if (rarest === undefined || places.length < rarest.length) [rarest, offset] = [places, at];
    }
    for (const position of rarest ?? []) {
      const first = position - offset;
      const last = first + phrase.length - 1;
      let matched = 0;
      while (matched < phrase.length && this.#words[first + matched] === phrase[matched]) matched += 1;
      this.#spent += matched + 1;
      if (this.#spent > 1_000_000 + 8 * this.#characters) return 'exhausted';
      if (matched < phrase.length || this.#textOf[first] !== this.#textOf[last]) continue;
      return { ...this.#texts[this.#textOf[first]!]!, start: this.#starts[first]!, end: this.#ends[last]! };
    }
    return undefined;
  }

  /** The first place where a word of `first` is followed by a word of `second`, with at most `gap` words between them. */
  findNear(first: readonly string[], second: readonly string[], gap: number): TextMatch<Place> | undefined {
    const before = this.#base?.findNear(first, second, gap);
    if (before !== undefined) return before;
    for (const each of first) {
      for (const position of this.#places.get(each) ?? []) {
        for (let at = position + 1; at <= position + 1 + gap; at += 1) {
          if (this.#textOf[at] !== this.#textOf[position]) break;
          if (!second.includes(this.#words[at]!)) continue;
          const text = this.#texts[this.#textOf[position]!]!;
          return { ...text, start: this.#starts[position]!, end: this.#ends[at]! };
        }
      }
    }
    return undefined;
  }

  /** The first occurrence of exactly these characters as a whole word. Invisible characters are ignored. */
  findExact(phrase: string): TextMatch<Place> | undefined {
    const before = this.#base?.findExact(phrase);
    if (before !== undefined) return before;
    for (let at = this.#visible.length; at < this.#texts.length; at += 1) {
      this.#visible.push(foldDigits(this.#texts[at]!.text.normalize('NFKC')).replace(/\p{Cf}/gu, ''));
    }
    for (const [at, text] of this.#visible.entries()) {
      for (let start = text.indexOf(phrase); start !== -1; start = text.indexOf(phrase, start + 1)) {
        const end = start + phrase.length;
        const isPart = wordCharacter.test(text.charAt(start - 1)) || wordCharacter.test(text.charAt(end));
        if (!isPart) return { place: this.#texts[at]!.place, text, start, end };
      }
    }
    return undefined;
  }

  /** The first text whose hexadecimal digits contain an id, even if other characters or words break it up. */
  findId(id: string): TextMatch<Place> | undefined {
    const before = this.#base?.findId(id);
    if (before !== undefined) return before;
    const lowerId = id.toLowerCase();
    for (let at = this.#digits.length; at < this.#texts.length; at += 1)
      this.#digits.push(digitsOf(this.#texts[at]!.text));
    for (const [at, { digits, positions }] of this.#digits.entries()) {
      const first = digits.indexOf(lowerId);
      if (first === -1) continue;
      return { ...this.#texts[at]!, start: positions[first]!, end: positions[first + lowerId.length - 1]! + 1 };
    }
    for (const [at, known] of this.#digits.entries()) {
      const [first, last] = findSplitId(known, lowerId) ?? [];
      if (first === undefined || last === undefined) continue;
      return { ...this.#texts[at]!, start: known.positions[first]!, end: known.positions[last]! + 1 };
    }
    return undefined;
  }
}

/** Hexadecimal digits of a text, each with its position in the text. */
interface Digits {
  readonly digits: string;
  readonly positions: Uint32Array;
}

/** The hexadecimal digits of a text with their positions. */
function digitsOf(text: string): Digits {
  if (!ascii.test(text)) return foldedDigitsOf(text);
  const positions = new Uint32Array(text.length);
  const kept = new Uint8Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code >= 65 && code <= 70 ? code + 32 : code;
    if ((lower < 48 || lower > 57) && (lower < 97 || lower > 102)) continue;
    kept[count] = lower;
    positions[count] = at;
    count += 1;
  }
  return { digits: new TextDecoder('latin1').decode(kept.subarray(0, count)), positions: positions.subarray(0, count) };
}

/** Cyrillic letters that a reader takes for digits of an id. */
const lookalikes: Readonly<Record<string, string>> = { а: 'a', с: 'c', ԁ: 'd', е: 'e' };

/** The hexadecimal digits of a text in any width and script, each with the position of the character that it comes from. */
function foldedDigitsOf(text: string): Digits {
  let digits = '';
  const positions: number[] = [];
  let at = 0;
  for (const character of text) {
    const folded = character <= '\x7f' ? character : foldDigits(character.normalize('NFKC'));
    for (const each of folded.toLowerCase()) {
      const digit = lookalikes[each] ?? each;
      if (!/[0-9a-f]/.test(digit)) continue;
      digits += digit;
      positions.push(at);
    }
    at += character.length;
  }
  return { digits, positions: Uint32Array.from(positions) };
}

const wordCharacter = /[\p{L}\p{N}_]/u;

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
function findSplitId({ digits, positions }: Digits, id: string): [first: number, last: number] | undefined {
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
