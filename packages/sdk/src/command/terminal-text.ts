import stringWidth from 'fast-string-width';

/** Control characters, and those that turn the reading direction, hide text or are not seen themselves. */
const unruly = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]/gu;

/**
 * Text of a document, a model or another person as it may be written to a terminal: what would move the cursor, set colours,
 * rename the window or turn the reading direction is made visible instead. Line ends and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unruly, visible);
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** As JSON that a terminal shows as it is; every reader of JSON reads it the same. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replaceAll(unruly, (character) => (character === '\n' ? character : `\\u${hexOf(character)}`));
}

function visible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.charCodeAt(0);
  // Unicode has a picture for each of the old control characters.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${hexOf(character).toUpperCase()}>`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** At most so many columns, with a mark where something was left out. */
export function shortened(text: string, most: number): string {
  if (stringWidth(text) <= most) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Filled up with blanks to so many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
}
