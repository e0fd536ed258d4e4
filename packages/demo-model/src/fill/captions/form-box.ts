import type { LayoutCell } from '../../page/layout.ts';

/** The number or letter that forms print before the name of a box. */
export const boxNumber = /^(?:\d{1,2}[a-z]?|[a-z])[.)]? (?=\p{L}{2})/iu;

/** Whether a cell is the name of a numbered box, such as `12a Dependent care`. The date `3 May 1980` is not. */
export function isFormBox({ text }: Pick<LayoutCell, 'text'>): boolean {
  return /^(?:\d{1,2}[a-z]?|[a-z]) \p{L}{3}/u.test(text) && !/:|^\d{1,2} \p{L}+\.? \d{4}$/u.test(text);
}
