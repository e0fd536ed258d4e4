import stringWidth from 'fast-string-width';

/** Control characters, and characters that change the reading direction, hide text or are invisible. */
const unsafeCharacters = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]/gu;

/**
 * Makes text of a document, a model or another user safe for a terminal. Characters that would move the cursor, set
 * colours, rename the window or change the reading direction become visible. Line ends and tabs are unchanged.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unsafeCharacters, visible);
}

/** Makes text safe for a terminal, on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** Formats JSON that is safe for a terminal. Every JSON parser reads the same value. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replaceAll(unsafeCharacters, (character) => (character === '\n' ? character : `\\u${hexOf(character)}`));
}

function visible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.charCodeAt(0);
  // Unicode has a symbol for each ASCII control character.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${hexOf(character).toUpperCase()}>`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** Truncates text to a number of columns, with `…` at the end. */
export function truncateToWidth(text: string, maxColumns: number): string {
  if (stringWidth(text) <= maxColumns) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > maxColumns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Pads text with spaces to a number of columns. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
}
