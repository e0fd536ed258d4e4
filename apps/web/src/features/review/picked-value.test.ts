import { expect, it } from 'vitest';
import { readPicked, textIn } from './picked-value.ts';

const number = { type: 'number', nullable: true } as const;
const day = { type: 'text', nullable: true, format: 'date' } as const;

it.each([
  ['EUR 1.234,50', 'Sum 12,00', '1234.5'],
  ['1.234', 'Sum 12,00', '1234'],
  ['1,234', 'Sum 12.00', '1234'],
  ['1 234 567,89 €', '', '1234567.89'],
  ['$ 1,234.50', '', '1234.5'],
  ['(12.50)', '', '-12.5'],
  ['12,50-', '', '-12.5'],
  ['− 3', '', '-3'],
  // A number that JavaScript would round keeps its digits.
  ['12.345.678.901.234.567.890,5-', '', '-12345678901234567890.5'],
  ['Total 5.', '', '5'],
  // A text with two numbers is not read as a number.
  ['5 of 12', '', '5 of 12'],
  ['nothing', '', 'nothing'],
])('reads the number in “%s” on a page with “%s”', (text, pageText, read) => {
  expect(readPicked(text, number, pageText, 'en')).toBe(read);
});

it('formats a number in the locale of the user', () => {
  expect(readPicked('1,234.50', number, '', 'de')).toBe('1234,5');
});

it.each([
  ['05.06.2013', '2013-06-05'],
  ['Due 13/11/2026', '2026-11-13'],
  ['11/13/2026', '2026-11-13'],
  ['1/2/26', '2026-01-02'],
  ['2026/3/4', '2026-03-04'],
  ['14 October 2026', '2026-10-14'],
  ['3. März 2026', '2026-03-03'],
  ['Dec 24th, 2026', '2026-12-24'],
  ['31.02.2026', '31.02.2026'],
  ['soon', 'soon'],
])('reads the date in “%s”', (text, read) => {
  expect(readPicked(text, day, '', 'en-US')).toBe(read);
});

it('takes the words whose centre is in the box, and the option that they match', () => {
  const word = (text: string, x0: number, y0: number) => ({ text, x0, y0, x1: x0 + 10, y1: y0 + 10 });
  const page = { page_num: 1, width: 100, height: 100 };
  const words = [word('net', 0, 0), word('Open', 20, 0), word('Sum', 0, 50)];
  const text = textIn({ page, words }, { page_num: 1, x0: 0.1, y0: 0, x1: 1, y1: 0.2 });
  expect(text).toBe('Open');
  expect(readPicked(text, { type: 'text', nullable: false, options: ['open', 'paid'] }, '')).toBe('open');
});
