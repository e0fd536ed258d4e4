/**
 * A number or code at the beginning of a text: one word with a digit in it, with the digit groups that follow
 * (`12 345 678`) or the short prefix that stands before (`DE 232 446 240`). Null where there is none.
 */
export function identifierAt(text: string): string | null {
  const words = text.trim().split(/\s+/u);
  const isPrefix = /^[A-Z]{1,4}$/u.test(words[0] ?? '') && /^\d/u.test(words[1] ?? '');
  const taken: string[] = isPrefix ? words.slice(0, 2) : words.slice(0, 1);
  const head = taken.at(-1) ?? '';
  if (!/^[#\p{L}\d][\p{L}\d\-/.#&_]*[,;]?$/u.test(head) || !/\d/u.test(head)) return null;
  if (/^[\d #]+$/u.test(head)) {
    for (const word of words.slice(taken.length)) {
      if (!/^\d{2,4}$/u.test(word)) break;
      taken.push(word);
    }
  }
  return taken.join(' ').replace(/[.,;]+$/u, '');
}
