import { codedValues } from '../../values/coded.ts';
import type { Field } from '../field.ts';
import { findByFieldName } from '../captions/labelled-field.ts';
import type { Found, PageContext } from '../page-context.ts';

/** Number of lines of a letterhead that can contain an unlabelled phone number. */
const letterheadLines = 8;

/** A phone or fax number: beside its name, otherwise on a line that names a phone, otherwise in the letterhead. */
export function findPhone(field: Field, context: PageContext): Found<string> | null {
  const named = findByFieldName({ ...field, kind: 'text' }, context);
  const [inNamed] = codedValues.phone.exec(named?.written ?? '') ?? [];
  if (named && inNamed !== undefined) return { ...named, value: inNamed, written: inNamed };
  const isFax = field.ownWords.includes('fax');
  const label = isFax ? /fax/iu : /(?:tel|phone|fon|mobile|call)\b/iu;
  for (const line of context.lines) {
    const at = line.text.search(label);
    const [written] = at === -1 ? [] : (codedValues.phone.exec(line.text.slice(at)) ?? []);
    if (written !== undefined) return { value: written, written, line, score: 1 };
  }
  const head = context.lines.filter((line) => line.cells.length > 0).slice(0, letterheadLines);
  for (const line of isFax ? [] : head) {
    const [written] = /(?:\+\d{1,3} |\(\d{2,5}\) ?)[\d ./-]{6,}\d|^\s*\d{3}-\d{3}-\d{4}\s*$/u.exec(line.text) ?? [];
    if (written !== undefined) return { value: written.trim(), written: written.trim(), line, score: 1 };
  }
  return null;
}
