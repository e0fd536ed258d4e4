/**
 * Converts a text to lower case without accents and with plain quotes. Each character stays one character, so a position
 * in the folded text is the same position in the text.
 */
export function fold(text: string): string {
  let folded = '';
  for (let index = 0; index < text.length; index += 1) folded += foldUnit(text[index] ?? '');
  return folded;
}

function foldUnit(unit: string): string {
  if (unit >= ' ' && unit <= '~') return unit.toLowerCase();
  if (unit === '’' || unit === '‘' || unit === '´' || unit === '`') return "'";
  if (unit === '\u00a0' || unit === '\u202f' || unit === '\t') return ' ';
  if (unit === '–' || unit === '—' || unit === '−') return '-';
  const base = unit.normalize('NFD')[0] ?? unit;
  const lower = base.toLowerCase();
  return lower.length === 1 ? lower : unit;
}

/** The folded words of a field name or label: `line items` for both `lineItems` and `line_items`. */
export function wordsOf(name: string): string {
  return fold(name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
