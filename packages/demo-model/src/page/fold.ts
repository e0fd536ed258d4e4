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

const maxRemembered = 5_000;
const maxRememberedLength = 200;

/** The same function, which remembers its last results for short texts: each caption of a page is compared with each field. */
export function remembering<Value extends string | object>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (text.length > maxRememberedLength) return made;
    if (known.size >= maxRemembered) known.clear();
    known.set(text, made);
    return made;
  };
}

/** The folded words of a field name or label: `line items` for both `lineItems` and `line_items`. */
export const wordsOf = remembering((name) =>
  fold(name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim(),
);
