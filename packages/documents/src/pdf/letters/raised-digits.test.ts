import { expect, it } from 'vitest';
import { line } from '../../testing/build-pdf.ts';
import { readOnlyPage } from '../../testing/read-pdf.ts';

it.each([
  ['the mark of a note behind an amount', ['420.00', 12, 0], ['1', 7, 4.5], '420.00 ¹'],
  ['a mark of two digits, with a bracket', ['1200', 12, 0], ['12\\)', 7, 4.5], '1200 ¹²)'],
  ['a mark behind a full stop', ['2023.', 12, 0], ['4', 7, 4.5], '2023. ⁴'],
  ['the cents of a price', ['19', 20, 0], ['99', 10, 8], '19 ⁹⁹'],
  ['a mark before an amount', ['2', 7, 4.5], ['420.00', 12, 0], '² 420.00'],
  ['a mark behind one digit', ['2', 12, 0], ['1', 7, 4.5], '2 ¹'],
  ['the upper part of a fraction', ['2', 12, 0], ['1/2', 8, 4], '2 1/2'],
  ['a digit of a smaller font on the line', ['42', 12, 0], ['0', 10, 0], '420'],
  ['the exponent of a unit', ['m', 12, 0], ['2', 7, 4.5], 'm2'],
] as const)(
  'does not make another number of %s',
  async (_, [text, size, rise], [other, otherSize, otherRise], read) => {
    const widths: Readonly<Record<string, number>> = { m: 0.833, '.': 0.278 };
    const end = 72 + size * Array.from(text).reduce((sum, letter) => sum + (widths[letter] ?? 0.556), 0);
    const content = line(text, 72, 700 + rise, size) + line(other, end, 700 + otherRise, otherSize);
    expect((await readOnlyPage({ pages: [{ content }] })).text).toBe(read);
  },
);
