/** Letters that look like a Latin one, from other alphabets and as small capitals: pairs of the letter and the Latin one. */
const lookalikes = new Map<string, string>();
for (const pairs of [
  'аaвbсcеeһhіiјjкkмmоoрpԛqѕsтtуyѵvԝwхxԁdԍgӏlьbпnґrзe',
  'αaβbγyεeηnιiκkνvοoρpσoτtυuχxωwζzθoλlμmϲcϳj',
  'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz',
  'ɑaɡgıiȷjɩiʋvѡwłløođdħhŧtƀbƙkɓbɗdɦhƒfƭt',
  'օoսuոnհhցgոnյjքpզqіiաw',
]) {
  const letters = Array.from(pairs);
  for (let at = 0; at + 1 < letters.length; at += 2) lookalikes.set(letters[at]!, letters[at + 1]!);
}

/** First code points of alphabets that Unicode does not decompose: letters in black circles and squares, and of flags. */
const signAlphabets = [0x1f150, 0x1f170, 0x1f1e6];

const marksAndHidden = /[\p{M}\p{Cf}]/gu;
const foreignDigit = /(?![0-9])\p{Nd}/gu;
const isDigit = /^\p{Nd}$/u;
const folded = new Map<string, string>();
const maxKnown = 50_000;

/** Replaces the decimal digits of every script by those of ASCII: a model reads them as the same number. */
export function foldDigits(text: string): string {
  return text.replace(foreignDigit, (digit) => {
    // The digits of a script have consecutive code points that start at its zero.
    let zero = digit.codePointAt(0)!;
    const value = zero;
    while (value - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(value - zero);
  });
}

/**
 * What a reader takes a character for, in its case: without accents and other marks, in Latin letters if it looks like one, and in
 * digits of ASCII. Empty for a mark or an invisible character.
 */
export function foldLook(character: string): string {
  if (character <= '\x7f') return character;
  const known = folded.get(character);
  if (known !== undefined) return known;
  const point = character.codePointAt(0)!;
  const first = signAlphabets.find((start) => point >= start && point < start + 26);
  const plain =
    first === undefined
      ? foldDigits(character.normalize('NFKD')).replace(marksAndHidden, '')
      : String.fromCharCode(97 + point - first);
  const seen = Array.from(plain).map(asLatin).join('');
  if (folded.size < maxKnown) folded.set(character, seen);
  return seen;
}

/** The signs that make another sound of a kana are part of the letter. */
const accentsAndHidden = /(?![\u3099\u309a])[\p{M}\p{Cf}]/gu;

/** A text in lower case without accents, vowel signs and invisible characters, in letters of its own script. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(accentsAndHidden, '').toLowerCase().normalize('NFC');
}

function asLatin(letter: string): string {
  const lower = letter.toLowerCase();
  const latin = lookalikes.get(lower);
  if (latin === undefined) return letter;
  return lower === letter ? latin : latin.toUpperCase();
}

/** What recognition and people write for a letter, as what it is taken for; the same for the letter itself. */
const confused: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  m: 'rn',
  w: 'vv',
  d: 'cl',
};

/** The letters and digits of a text without what is between them. Two texts that are read alike have the same letters. */
export interface TextLetters {
  readonly text: string;
  /** Of each letter: the position in the text of the character that it comes from. */
  readonly positions: Uint32Array;
}

const isLetter = /[\p{L}\p{N}]/u;
/** By code of ASCII; undefined for a sign. */
const confusedAscii = Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return isLetter.test(letter) ? Array.from(confused[letter] ?? letter, (each) => each.charCodeAt(0)) : undefined;
});

export function lettersOf(text: string): TextLetters {
  const kept = new KeptCodes(text.length);
  eachCode(text, (code, at) => {
    const letters = code < 128 ? confusedAscii[code] : [code];
    for (const letter of letters ?? []) kept.add(letter, at);
  });
  return kept.read();
}

/** Calls back with the codes of what a text looks like, letters and digits above ASCII included, and their positions. */
export function eachCode(text: string, onCode: (code: number, at: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      onCode(code, at);
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const look = foldLook(character).toLowerCase();
    if (look !== character || isLetter.test(look)) {
      for (let each = 0; each < look.length; each += 1) onCode(look.charCodeAt(each), at);
    } else if (look !== '') onCode(signCode, at);
    if (character.length === 2) at += 1;
  }
}

/** Stands for a sign above ASCII. */
const signCode = 32;

/** Codes with their positions. They grow, since a sign such as ㎉ is several letters. */
export class KeptCodes {
  #codes: Uint16Array<ArrayBuffer>;
  #positions: Uint32Array<ArrayBuffer>;
  #count = 0;

  constructor(expected: number) {
    this.#codes = new Uint16Array(expected + 16);
    this.#positions = new Uint32Array(expected + 16);
  }

  add(code: number, at: number): void {
    if (this.#count === this.#codes.length) {
      const [codes, positions] = [this.#codes, this.#positions];
      this.#codes = new Uint16Array(2 * codes.length);
      this.#positions = new Uint32Array(2 * codes.length);
      this.#codes.set(codes);
      this.#positions.set(positions);
    }
    this.#codes[this.#count] = code;
    this.#positions[this.#count] = at;
    this.#count += 1;
  }

  read(): TextLetters {
    const text = new TextDecoder('utf-16le').decode(this.#codes.subarray(0, this.#count));
    return { text, positions: this.#positions.slice(0, this.#count) };
  }
}
