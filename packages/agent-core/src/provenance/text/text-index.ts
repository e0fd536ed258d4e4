import { foldAccents, foldLook, lettersOf, type TextLetters } from './folded-text.ts';
import { digitsOf, waysToWriteAnId, type Digits } from './id-digits.ts';

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

/** In scripts without spaces each character is a word. */
const isWord = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const isPartOfWord = /[\p{L}\p{N}\p{M}\p{Cf}]/u;
const ascii = /^[\0-\x7f]*$/;

/** The normalized words of a text in order. All other characters separate words, underscores too. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (normalized) => words.push(normalized));
  return words;
}

/** The same in steps between which other work can run: 200,000 characters take a tenth of a second. */
export function* wordsInSteps(text: string): Generator<void, string[]> {
  const words: string[] = [];
  for (const { piece } of piecesOf(text)) {
    eachWord(piece, (normalized) => words.push(normalized));
    yield;
  }
  return words;
}

const pieceCharacters = 10_000;
/** Ends a word for certain: a space, a mark, or a character that is a word by itself. U+FEFF is a space that words have inside. */
const endsWord = /[^\S\uFEFF]|[,;:()\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Parts of a text that divide no word, unless it is too long for a name. */
function* piecesOf(text: string): Generator<{ piece: string; from: number }> {
  for (let [from, end] = [0, 0]; from < text.length; from = end) {
    const found = text.slice(from + pieceCharacters, from + 2 * pieceCharacters + 1).search(endsWord);
    end = from + pieceCharacters + (found === -1 ? pieceCharacters : found + 1);
    if (/[\udc00-\udfff]/.test(text.charAt(end))) end += 1;
    yield { piece: text.slice(from, end), from };
  }
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
  let normalized = '';
  let start = 0;
  let at = 0;
  const finish = () => {
    if (normalized !== '') onWord(normalized, start, at);
    normalized = '';
  };
  for (const character of text) {
    const letters = lettersIn(character);
    if (letters === undefined || (letters !== '' && isWord.test(character))) finish();
    if (letters !== undefined) {
      if (normalized === '') start = at;
      normalized += letters;
    }
    at += character.length;
    if (letters !== undefined && isWord.test(character)) finish();
  }
  finish();
}

/** What a character adds to a word, in lower case; undefined if it separates words. */
function lettersIn(character: string): string | undefined {
  const letters = foldLook(character).toLowerCase();
  if (isPartOfWord.test(character)) return letters.replace(/[^\p{L}\p{N}]/gu, '');
  return letters !== character && isPartOfWord.test(letters) ? letters : undefined;
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
  /** As they are, and with letters that can be misread digits. */
  readonly #digits: [Digits, Digits][] = [];
  /** Built on first use. */
  readonly #letters: TextLetters[] = [];
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
    for (const _ of this.addInSteps(added));
  }

  /** The same in steps between which other work can run. */
  *addInSteps(added: IndexedText<Place>): Generator<void, void> {
    const at = this.#texts.push(added) - 1;
    this.#characters += added.text.length;
    for (const { piece, from } of piecesOf(added.text)) {
      this.#addWords(piece, from, at);
      yield;
    }
  }

  #addWords(piece: string, from: number, at: number): void {
    eachWord(piece, (normalized, start, end) => {
      const position = this.#words.push(normalized) - 1;
      this.#starts.push(from + start);
      this.#ends.push(from + end);
      this.#textOf.push(at);
      const known = this.#places.get(normalized);
      if (known === undefined) this.#places.set(normalized, [position]);
      else known.push(position);
    });
  }

  /** Whether no text was added. */
  get isEmpty(): boolean {
    return this.#texts.length === 0 && (this.#base?.isEmpty ?? true);
  }

  hasWord(isSought: (word: string) => boolean): boolean {
    return this.#base?.hasWord(isSought) === true || this.#places.keys().some(isSought);
  }

  /** Whether a text matches in lower case and without accents. */
  hasText(pattern: RegExp): boolean {
    return this.someText((text) => pattern.test(text));
  }

  /** Whether a text is sought. It is given in lower case and without accents, with what was added. */
  someText(isSought: (text: string, added: IndexedText<Place>) => boolean): boolean {
    return (
      this.#base?.someText(isSought) === true || this.#texts.some((added) => isSought(foldAccents(added.text), added))
    );
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
      this.#visible.push(Array.from(this.#texts[at]!.text, foldLook).join(''));
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

  /**
   * The first place where a text shows these words in a way that `find` does not see and a reader does: spaced out, divided
   * at the end of a line, written backwards, or with signs that look like the letters.
   */
  findDisguised(phrase: readonly string[]): TextMatch<Place> | undefined {
    const before = this.#base?.findDisguised(phrase);
    if (before !== undefined) return before;
    const sought = lettersOf(phrase.join('')).text;
    if (sought.length < minLetters) return undefined;
    const turned =
      sought.length < minBackwards ? undefined : lettersOf(Array.from(phrase.join('')).toReversed().join('')).text;
    for (let at = this.#letters.length; at < this.#texts.length; at += 1)
      this.#letters.push(lettersOf(this.#texts[at]!.text));
    for (const [at, letters] of this.#letters.entries()) {
      for (const each of turned === undefined ? [sought] : [sought, turned]) {
        const place = findLetters(letters, each, this.#texts[at]!.text, phrase);
        if (place !== undefined) return { ...this.#texts[at]!, ...place };
      }
    }
    return undefined;
  }

  /** The first text whose hexadecimal digits contain an id, even if other characters or words break it up. */
  findId(id: string): TextMatch<Place> | undefined {
    const before = this.#base?.findId(id);
    if (before !== undefined) return before;
    const lowerId = id.toLowerCase();
    for (let at = this.#digits.length; at < this.#texts.length; at += 1) {
      this.#digits.push(digitsOf(this.#texts[at]!.text));
    }
    for (const look of waysToWriteAnId) {
      for (const [at, spellings] of this.#digits.entries()) {
        for (const known of spellings) {
          const [first, last] = look(known, lowerId) ?? [];
          if (first === undefined || last === undefined) continue;
          return { ...this.#texts[at]!, start: known.positions[first]!, end: known.positions[last]! + 1 };
        }
      }
    }
    return undefined;
  }
}

/** Shorter names stand by chance in the letters of many texts, and in those read backwards. */
const minLetters = 3;
const minBackwards = 6;

/** The first place of these letters that begins and ends with a word and does not show the phrase as it is. */
function findLetters(
  { text: letters, positions }: TextLetters,
  sought: string,
  text: string,
  phrase: readonly string[],
): { start: number; end: number } | undefined {
  for (let first = letters.indexOf(sought); first !== -1; first = letters.indexOf(sought, first + 1)) {
    const last = first + sought.length - 1;
    const start = positions[first]!;
    let end = positions[last]! + 1;
    // A mark stands behind its letter.
    while (end < text.length && positions[last + 1] !== end && lettersIn(text.charAt(end)) === '') end += 1;
    const isWithin = positions[first - 1] === start || positions[last + 1] === positions[last];
    const touches = (at: number) => wordCharacter.test(text.charAt(at));
    if (isWithin || touches(start - 1) || (touches(end) && positions[last + 1] === end)) continue;
    if (wordsOf(text.slice(start, end)).join(' ') !== phrase.join(' ')) return { start, end };
  }
  return undefined;
}

const wordCharacter = /[\p{L}\p{N}_]/u;
