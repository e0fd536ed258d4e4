/** White space from a real character of the page. */
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

/** Hebrew, Arabic and related scripts, with presentation forms. */
export function isRightToLeft(code: number): boolean {
  if (code < 0x590) return false;
  return code <= 0x8ff || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefe);
}

/** A code without a meaning for the glyph, including the private use areas. */
export function isUnmapped(code: number): boolean {
  if (code < 0xd800) return code === 0;
  return code === 0xfffd || code === 0xfffe || code === 0xffff || (code >= 0xe000 && code <= 0xf8ff);
}

const combining = /^\p{M}$/u;

export function isCombining(code: number): boolean {
  return code >= 0x300 && combining.test(String.fromCodePoint(code));
}

/** Invisible marks without width. */
export function isZeroWidth(code: number): boolean {
  if (code < 0x200b) return false;
  return code === 0x200b || code === 0x2060 || code === 0xfeff || (code >= 0x202a && code <= 0x202e);
}
