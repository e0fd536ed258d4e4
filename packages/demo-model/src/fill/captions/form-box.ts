import type { Cell } from '../../page/layout.ts';

/** The number or letter that forms print before the name of a box. */
export const boxNumber = /^(?:\d{1,2}[a-z]?|[a-z])[.)]? (?=\p{L}{2})/iu;

/** `12a Dependent care`: forms number their boxes and print the value under the name; `3 May 1980` is a day. */
export function isFormBox(cell: Cell): boolean {
  return /^(?:\d{1,2}[a-z]?|[a-z]) \p{L}{3}/u.test(cell.text) && !/:|^\d{1,2} \p{L}+\.? \d{4}$/u.test(cell.text);
}
