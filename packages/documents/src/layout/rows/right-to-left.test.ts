import { expect, it } from 'vitest';
import type { PageWord } from '../page-word.ts';
import { layOutPage } from '../lay-out-page.ts';

/** A row as it is painted: words from left to right, each with its letters in reading order. */
function read(...texts: string[]): string {
  let x = 50;
  const words = texts.map((text): PageWord => {
    const word: PageWord = { text, x0: x, x1: x + text.length * 5, y0: 100, y1: 110, direction: 'right' };
    x = word.x1 + 5;
    return word;
  });
  return layOutPage(words).text.trim().replaceAll(/ +/gu, ' ');
}

it('words with a quotation mark or a full stop in their middle are read from the right', () => {
  expect(read('ש"ח', '1,170.00', '17%', 'מע"מ', 'כולל')).toBe('כולל מע"מ 1,170.00 17% ש"ח');
  expect(read('(ש"ח)', 'ד.נ.', 'ב"כ')).toBe('ב"כ ד.נ. (ש"ח)');
});

it('signs between a number and a word from the right stay where they are painted', () => {
  expect(read('500', ':', 'סכום')).toBe('סכום : 500');
  expect(read('סוף', '-', '55', 'מזהה')).toBe('מזהה 55 - סוף');
});

it.each([
  [['123', ')מקור(', 'מס'], 'מס (מקור) 123'],
  [['1,170.00', '(', '17%', ')כולל', 'סכום'], 'סכום (כולל 17% ) 1,170.00'],
  [['סוף', '[', '55', ']מזהה:'], '[מזהה: 55 ] סוף'],
  [['»ב«', '}א{', 'טקסט'], 'טקסט {א} «ב»'],
  [[')', 'ABC', ')', 'שלום'], 'שלום ( ABC )'],
  [['Name', '(', 'שלום', '(end', 'here'], 'Name ( שלום )end here'],
  [['شامل', 'الضريبة(', ')نسخة'], '(نسخة الضريبة) شامل'],
])('brackets that PDFium has as they are painted pair beside words from the right: %j', (row, text) => {
  expect(read(...row)).toBe(text);
});

it.each([
  [['ב', '2)', 'א', '1)'], '1) א 2) ב'],
  [['(ג)', 'ב', '(א'], '(א ב (ג)'],
  [['א).', '(1'], '(1 א).'],
  [['Total', '(net', '(of', 'tax))', 'now', 'שלום'], 'Total (net (of tax)) now שלום'],
  [['5)', 'items', ')'], '5) items )'],
])('brackets stay that pair or number an entry: %j', (row, text) => {
  expect(read(...row)).toBe(text);
});
