/** Whether a character is white space. */
export function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Whether a character is of Hebrew, Arabic or a related script; presentation forms are included. */
export function isRightToLeft(code: number): boolean {
  if (code < 0x590) return false;
  return code <= 0x8ff || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefe);
}

const lastCodePoint = 0x10ffff;

/**
 * Whether a code says nothing about its glyph: control codes, surrogates, the private use areas, and numbers that are no Unicode
 * character. A file with a wrong table of characters has any of them.
 */
export function isUnmapped(code: number): boolean {
  if (code < 0xd800) return (code < 0x20 && !isSpace(code)) || (code >= 0x7f && code < 0xa0);
  return (
    code <= 0xf8ff || code === 0xfffd || code === 0xfffe || code === 0xffff || code >= 0xf0000 || code > lastCodePoint
  );
}

const combining = /^\p{M}$/u;

/** Whether a character is a mark on the letter before it. */
export function isCombining(code: number): boolean {
  return code >= 0x300 && code <= lastCodePoint && combining.test(String.fromCodePoint(code));
}

/** Whether a character is invisible and has no width. */
export function isZeroWidth(code: number): boolean {
  if (code < 0x200b) return false;
  return code === 0x200b || code === 0x2060 || code === 0xfeff || (code >= 0x202a && code <= 0x202e);
}

/** Whether a character is a digit of ASCII. */
export function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

/** Whether a character is a digit, or a sign within a number. */
export function isInsideNumber(character: number): boolean {
  return isDigit(character) || character === 0x2c || character === 0x2e;
}

/** A printed letter, digit or mark of Latin-1. */
export function isLatinLetter(character: number): boolean {
  return character > 0x20 && character < 0x100 && (character < 0x7f || character > 0xa0);
}

/** Colons, full stops and similar signs retain their painted position in any script. */
export function isPunctuation(character: number): boolean {
  return character === 0x3a || character === 0x2e || character === 0x2c || character === 0x21 || character === 0x3b;
}

/** Fewer Korean letters that could be others are Korean. */
const minInUtf8 = 8;
/** A word of a form can be repeated. */
const minDifferent = 4;

/**
 * Repairs characters whose font has its table in UTF-8 where UTF-16 belongs: the two bytes of a Cyrillic, Greek or accented letter are
 * then a Korean one. A Korean text has letters whose bytes are no UTF-8. Returns the positions that were changed.
 */
export function repairUtf8(codes: Uint32Array): number[] {
  const found: number[] = [];
  for (const [index, code] of codes.entries()) {
    if (code < 0xac00 || code > 0xd7ff) continue;
    if (code < 0xc280 || (code & 0xc0) !== 0x80) return [];
    found.push(index);
  }
  if (found.length < minInUtf8 || new Set(found.map((index) => codes[index])).size < minDifferent) return [];
  for (const index of found) codes[index] = ((codes[index]! & 0x1f00) >> 2) | (codes[index]! & 0x3f);
  return found;
}
