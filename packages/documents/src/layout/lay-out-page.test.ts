import { describe, expect, it } from 'vitest';
import type { ReadingDirection } from '../page/reading-direction.ts';
import { layOutPage } from './lay-out-page.ts';
import type { PageWord } from './page-word.ts';

const characterWidth = 5;
const lineHeight = 10;

/** Words of a line of text at a position; two or more spaces separate words. */
function words(text: string, x: number, y: number, direction: ReadingDirection = 'right'): PageWord[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const along = x + index * characterWidth;
    const end = along + word.length * characterWidth;
    return direction === 'down'
      ? { text: word, direction, x0: y, x1: y + lineHeight, y0: along, y1: end }
      : { text: word, direction, x0: along, x1: end, y0: y, y1: y + lineHeight };
  });
}

const column = (lines: readonly string[], x: number, y: number): PageWord[] =>
  lines.flatMap((line, index) => words(line, x, y + index * 12));

const left = [
  'The quick brown fox jumps over',
  'the lazy dog and then goes on',
  'to the river where it drinks',
  'some water before it sleeps',
  'under the old oak near by.',
];
const right = [
  'In another column there is a',
  'story of a bear who liked the',
  'honey of the bees so much that',
  'he never slept in winter and',
  'was always rather tired then.',
];

describe('the text of a page', () => {
  it('puts a label and its value on one line, regardless of the drawing order', () => {
    const { text } = layOutPage([...words('12.50', 300, 101), ...words('Total due', 50, 100), ...words('Tax', 50, 86)]);
    expect(text.split('\n').map((line) => line.replace(/ {2,}/g, '  '))).toEqual(['Tax', 'Total due  12.50']);
  });

  it('aligns the columns of a table', () => {
    const rows = ['Item         Qty    Amount', 'Chair          2     50.00', 'Long table    10  1,200.00'];
    const { text } = layOutPage(rows.flatMap((row, index) => words(row, 40, 100 + index * 14)));
    expect(text.split('\n')).toEqual(rows);
  });

  it('reads columns of prose one after the other, between the rows above and below', () => {
    const { text, words: ordered } = layOutPage([
      ...words('A headline over both columns of this page here', 60, 20),
      ...column(left, 40, 50),
      ...column(right, 230, 56),
      ...words('A footer below both columns of this page there', 60, 150),
    ]);
    expect(text.replace(/^ +/gm, '')).toBe(
      [
        'A headline over both columns of this page here',
        left.join('\n'),
        right.join('\n'),
        'A footer below both columns of this page there',
      ].join('\n\n'),
    );
    expect(ordered.map((word) => word.text).join(' ')).toContain('oak near by. In another column');
  });

  it('reads two blocks of short lines across', () => {
    const { text } = layOutPage([
      ...column(['Acme Ltd.', '12 High Street', 'London', 'England', 'VAT 123', 'Tel. 456'], 40, 50),
      ...column(['Invoice No. 77', 'Date 1/2/2024', 'Due 1/3/2024', 'Order 88', 'Page 1', 'Copy'], 300, 50),
    ]);
    expect(text.split('\n')[1]).toMatch(/^12 High Street {2,}Date 1\/2\/2024$/);
  });

  it('marks a gap between paragraphs with a blank line', () => {
    expect(layOutPage([...words('One', 0, 0), ...words('Two', 0, 12), ...words('Three', 0, 40)]).text).toBe(
      'One\nTwo\n\nThree',
    );
  });

  it('turns a sideways page upright to read it and does not move its words', () => {
    const turned = [...words('second line', 40, 388, 'down'), ...words('first line', 40, 400, 'down')];
    const page = layOutPage(turned);
    expect(page.text).toBe('first line\nsecond line');
    expect(page.words[0]).toMatchObject({ text: 'first', x0: 400, x1: 410, y0: 40 });
  });

  it('reads a right-to-left row from the right, its numbers from the left', () => {
    const row = [...words('2024 12', 45, 0), ...words('םלוע', 90, 0), ...words('םולש', 120, 0)];
    expect(layOutPage(row).words.map((word) => word.text)).toEqual(['םולש', 'םלוע', '2024', '12']);
  });

  it('has the first column of a right-to-left table at the right', () => {
    const rows = [
      'ריחמ         תומכ    טירפ',
      '50.00          2    אסיכ',
      '120.00        10    ןחלוש',
      '7.50           1    טע',
    ];
    const [table] = layOutPage(rows.flatMap((row, index) => words(row, 40, 100 + index * 14))).tables;
    const textOfRow = (at: number): string[] =>
      table!.cells.filter(({ row }) => row === at).map(({ column, text }) => `${column} ${text}`);
    expect(textOfRow(0)).toEqual(['0 טירפ', '1 תומכ', '2 ריחמ']);
    expect(textOfRow(2)).toEqual(['0 ןחלוש', '1 10', '2 120.00']);
  });

  it('reads a line with a colon above a value of the same size as its caption', () => {
    const rules = [
      ...[90, 130, 170].map((y) => ({ x0: 40, y0: y, x1: 340, y1: y })),
      ...[40, 190, 340].map((x) => ({ x0: x, y0: 90, x1: x, y1: 170 })),
    ];
    const boxes = [
      ...words('Place of birth:', 45, 95),
      ...words('Porto', 45, 112),
      ...words('Profession:', 195, 95),
      ...words('Baker', 195, 112),
      ...words('Member since:', 45, 135),
      ...words('2019', 45, 152),
      ...words('Number:', 195, 135),
      ...words('K 77', 195, 152),
    ];
    expect(layOutPage(boxes, rules).text.split('\n')).toEqual([
      'Place of birth: Porto',
      'Profession: Baker',
      'Member since: 2019',
      'Number: K 77',
    ]);
  });
});
