import type { PageWord } from '../../layout/page-word.ts';

/** Glyphs without a Unicode character between others. */
const unknownInside = /[^\ufffd]\ufffd+[^\ufffd]/u;
/** Languages write few of these letters, and others beside them. */
const rareLetters = /^[\u0180-\u024f]{4,}$/u;
/** Accented letters and signs, some of each. */
const upperLatin = /^(?=.*[\u00a1-\u00bf])(?=.*[\u00c0-\u00ff])[\u00a1-\u00ff]{5,}$/u;

/** Whether the letters of a word cannot be meant, as where the table of its font is wrong. */
export function isGarbled({ text }: PageWord): boolean {
  return unknownInside.test(text) || rareLetters.test(text) || upperLatin.test(text);
}
