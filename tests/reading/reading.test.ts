import { readFileSync } from 'node:fs';
import path from 'node:path';
import { detectType, parseDocument } from '@docwright/documents';
import { buildPdf, line } from '@docwright/documents/testing';
import { expect, it } from 'vitest';
import { commonOrder } from './common-order.ts';
import type { FileReport } from './compare-file.ts';
import { compareWords } from './compare-words.ts';
import { isHeldOut } from './held-out.ts';
import { datesOf, isCutCell, onPaperAlone, scaleNumbers, withoutRepeats } from './reasons.ts';
import { reasonsMissing, summaryOf, type Known } from './summary.ts';
import { explainByDrawing } from './viewers/drawn-words.ts';
import { withoutHidden } from './viewers/hidden-words.ts';
import { explainBySecondReader } from './viewers/second-reader.ts';
import { wordsOf } from './words.ts';

const at = (text: string, x0: number, y0 = 0) => ({
  text,
  place: { x0, y0, x1: x0 + text.length * 5, y1: y0 + 10 },
});

it('leaves out words in the colour of what is behind them, also beside a line', () => {
  const [width, height] = [100, 20];
  // A dark line through white paper, and the right half dark.
  const ground = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const x = Math.floor(at / 3) % width;
    return x === 4 || x >= 50 ? 60 : 255;
  });
  const page = (data: Uint8Array) => ({ width, height, data });
  const painted = ground.slice();
  painted.fill(255, (10 * width + 55) * 3, (10 * width + 58) * 3);
  const drawn = { whole: page(painted), withoutText: page(ground) };
  const [hidden, white, layer] = [at('.', 1), at('.', 26), at('a', 12)];
  const second = [
    { ...hidden, color: '#ffffff' },
    { ...white, color: '#ffffff' },
    { ...layer, color: '#000000' },
  ];
  expect(withoutHidden([hidden, white, layer, at('b', 12)], second, drawn)).toEqual([white, layer, at('b', 12)]);
  const changing = second.map((word) => ({ ...word, color: undefined }));
  expect(withoutHidden([hidden], changing, drawn)).toEqual([hidden]);
});

it('counts words that are missing, too many and out of order', () => {
  const found = compareWords(wordsOf('Total 420.00 due EUR EUR'), wordsOf('Total due 420.00 EUR by March'));
  expect(found).toMatchObject({ shown: 6, read: 5, shared: 4, inOrder: 3 });
  expect(found.missing.map(({ text }) => text)).toEqual(['by', 'March']);
  expect(found.tooMany.map(({ text }) => text)).toEqual(['EUR']);
});

it('says which of several equal words is missing', () => {
  const found = compareWords([at('A', 100), at('A', 200)], [at('A', 0), at('A', 100), at('A', 200)]);
  expect(found.missing.map(({ place }) => place?.x0)).toEqual([0]);
});

it('gives a word to the one that has no reason to be missing', () => {
  const shown = [{ text: '5', reason: 'scale' as const }, { text: '5' }];
  expect(compareWords(wordsOf('5'), shown).missing).toEqual([{ text: '5', reason: 'scale' }]);
});

it('tells words that are divided otherwise from words that are not read', () => {
  const found = compareWords([at('2.', 0), at('33', 10), at('x', 200)], [at('2.33', 0), at('1.16', 0, 40)]);
  expect(found.missing).toHaveLength(2);
  expect(found.missing.map(({ reason }) => reason)).toEqual(['divided', undefined]);
  expect(found.tooMany.map(({ reason }) => reason)).toEqual(['divided', 'divided', undefined]);
  // A letter that is lost is no other limit of words.
  expect(compareWords([at('wil', 0)], [at('will', 0)]).missing[0]?.reason).toBeUndefined();
});

it('asks a second reader who is wrong: what only poppler has is its own, and where both divide alike the product is wrong', () => {
  const reasons = (own: string[], shown: string[], second: string[]) => {
    const words = (texts: string[]) => texts.map((text, index) => at(text, index * 40));
    const found = compareWords(words(own), words(shown));
    explainBySecondReader(found, words(second));
    return [...found.missing, ...found.tooMany].map(({ text, reason }) => `${text} ${reason}`);
  };
  expect(reasons(['Net'], ['Net', 'VAT'], ['Net'])).toEqual(['VAT alone']);
  expect(reasons(['Net'], ['Net', 'VAT'], ['Net', 'VAT'])).toEqual(['VAT undefined']);
  expect(reasons(['Net', 'VAT'], ['Net'], ['Net', 'VAT'])).toEqual(['VAT second']);
  expect(reasons(['عذراً.'], ['.ًارذع'], ['.ًارذع'])).toEqual(['.ًارذع order', 'عذراً. order']);
  const divided = compareWords([at('2.33', 0)], [at('2.', 0), at('33', 10)]);
  explainBySecondReader(divided, [at('2.', 0), at('33', 10)]);
  expect([...divided.missing, ...divided.tooMany].map(({ reason }) => reason)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('asks recognition of the drawn page what people see where the readers of text differ', () => {
  const reasons = (own: string, shown: string, drawn: string) => {
    const found = compareWords([at(own, 0)], [at(shown, 0)]);
    explainByDrawing(found, [at(own, 0)], [at(drawn, 0)]);
    return [...found.missing, ...found.tooMany].map(({ reason }) => reason);
  };
  expect(reasons('420.00', 'uvq.qq', '420.00')).toEqual(['drawn', 'drawn']);
  expect(reasons('uvq.qq', '420.00', '420.00')).toEqual([undefined, undefined]);
  // Nobody can tell what recognition reads as something else again.
  expect(reasons('420.00', 'uvq.qq', '42D.0O')).toEqual([undefined, undefined]);
});

it('says what is missing before and after recognition', () => {
  const page = { ...compareWords(wordsOf('one two'), wordsOf('one two')), pageNumber: 1, unseen: 0 };
  const layer = compareWords(wordsOf('one'), wordsOf('one two'));
  const file = { file: '/a.pdf', name: 'a.pdf', mimeType: 'application/pdf' as const, waiting: 0 };
  const [, after, before] = summaryOf([{ ...file, pages: [{ ...page, layer }] }]);
  expect(after).toContain('missing 0.00 % (0)');
  expect(before).toContain('by the text layer alone: missing 50.00 % (1)');
});

it('tells words that another program divides where there are no places: at the end of a line, or letter by letter', () => {
  const reasons = (own: string, shown: string) => {
    const { missing, tooMany } = compareWords(wordsOf(own), wordsOf(shown));
    return [...missing, ...tooMany].map(({ text, reason }) => `${text} ${reason}`);
  };
  expect(reasons('See master.zip now', 'See ma ster.zip now')).toEqual([
    'ma divided',
    'ster.zip divided',
    'master.zip divided',
  ]);
  expect(reasons('Category', 'C o g e at ry').every((line) => line.endsWith(' divided'))).toBe(true);
  expect(reasons('one two', 'onetwo')).toContain('onetwo divided');
  expect(reasons('wil', 'wi ll')).toEqual(['wi undefined', 'll undefined', 'wil undefined']);
});

it('tells raised numbers, marks of notes, dots before page numbers, capitals and words from right to left', () => {
  const reasons = (own: string, shown: string) => {
    const { missing, tooMany } = compareWords(wordsOf(own), wordsOf(shown));
    return [...missing, ...tooMany].map(({ text, reason }) => `${text} ${reason}`);
  };
  expect(reasons('See note³, then Text[i] end', '3 See note , then Text i end')).toEqual([
    '3 divided',
    'note divided',
    ', divided',
    'Text divided',
    'i divided',
    'note3, divided',
    'Texti divided',
  ]);
  expect(reasons('Tables ii ____', 'Tables.........ii ______')).toEqual([]);
  expect(reasons('PRICE Small', 'Price S MALL')).toEqual([
    'Price capitals',
    'S capitals',
    'MALL capitals',
    'PRICE capitals',
    'Small capitals',
  ]);
  expect(reasons('אשכול, שלום', ',לוכשא םולש').every((line) => line.endsWith(' order'))).toBe(true);
  // Many letters have too many ways to try them all.
  expect(reasons(`${'a'.repeat(40)}b`, 'a '.repeat(60))).toHaveLength(61);
  expect(reasons('note', 'n other')).toEqual(['n undefined', 'other undefined', 'note undefined']);
});

it('tells the scale of a chart from the numbers in it', () => {
  const column = ['20', '15', '10', '5', '0'].map((text, row) => at(text, 100 - text.length * 5, row * 30));
  const table = ['12', '17', '4'].map((text, row) => at(text, 300, row * 30));
  const years = ['2002', '2003', '2004'].map((text, index) => at(text, 400 + index * 50, 300));
  expect([...scaleNumbers([...column, ...table], new Set())].map(({ text }) => text).sort()).toEqual([
    '0',
    '10',
    '15',
    '20',
    '5',
  ]);
  expect(scaleNumbers(years, new Set(['2002', '2003', '2004']))).toEqual(new Set());
  expect(scaleNumbers(years, new Set()).size).toBe(3);
});

it('tells what is printed around a sheet, and cells that are printed in part', () => {
  const page = (number: string) => ({
    width: 600,
    height: 800,
    words: [at('Sheet1', 50, 20), at('Offer', 50, 400), at('Page', 20, 780), at(number, 50, 780)],
  });
  const onPaper = onPaperAlone([page('1'), page('2')], wordsOf('Sheet1 Offer'));
  expect(onPaper.map(({ text }) => text)).toEqual(['Page', '1']);
  // A drawing that a page of the size of the cells cuts off.
  expect(onPaperAlone([page('1')], wordsOf('Sheet1 Page 1'))).toEqual([{ text: 'Offer' }]);
  const cells = new Set(['Country', 'Pop(Mio)', '1,234.50']);
  expect(['Countrop(Mio)', 'Countr', '###'].map((text) => isCutCell(text, cells))).toEqual([true, true, true]);
  expect(['Country', 'Total', '1'].map((text) => isCutCell(text, cells))).toEqual([false, false, false]);
  expect(datesOf(new Date(2026, 2, 4))).toContain('3/4/26');
});

it('compares ligatures as their letters, and asks for no glyph without a meaning', () => {
  expect(compareWords(wordsOf('office'), wordsOf('oﬃce \ue001\ue002')).missing).toEqual([]);
});

it('tells words that a file shows, but not in print, small capitals, and dates of today', () => {
  const unprinted = [...wordsOf('Look here')].map(({ text }) => ({ text, reason: 'notes' as const }));
  const dates = wordsOf('Tuesday').map(({ text }) => ({ text, reason: 'today' as const }));
  const own = wordsOf('Price list Look ☒paid Tuesday end');
  const found = compareWords(own, wordsOf('PRICE list paid Sunday 29 end'), [...unprinted, ...dates]);
  const reasons = (words: readonly { text: string; reason?: string }[]) =>
    words.map(({ text, reason }) => `${text} ${reason}`);
  expect(reasons(found.missing)).toEqual(['PRICE capitals', 'Sunday today', '29 today']);
  expect(reasons(found.tooMany)).toEqual(['Price capitals', 'Look notes', 'Tuesday today']);
});

it('does not count words of pictures as too many, because no other reader has them', () => {
  const found = compareWords([{ text: 'PAID', isRecognised: true }, { text: 'Total' }], wordsOf('Total'));
  expect(found).toMatchObject({ read: 1, tooMany: [] });
});

it('counts a footer once that is printed on each page, and the same word of two pages twice', () => {
  const page = { width: 600, height: 800, words: [at('Total', 50, 400), at('Confidential', 50, 780)] };
  expect(withoutRepeats([page, page]).map(({ text }) => text)).toEqual(['Total', 'Confidential', 'Total']);
  // A line that differs in more than its numbers is another one, with all of its words.
  const headed = (...words: string[]) => ({
    width: 600,
    height: 800,
    words: words.map((text, index) => at(text, index * 50, 20)),
  });
  const lines = withoutRepeats([
    headed('First', 'page', '1'),
    headed('Next', 'page', '2'),
    headed('Next', 'page', '3'),
  ]);
  expect(lines.map(({ text }) => text).join(' ')).toBe('First page 1 Next page 2');
});

it('finds the longest common order, and where two lists differ', () => {
  const { length, gaps } = commonOrder(['a', 'b', 'c', 'd', 'x'], ['b', 'a', 'c', 'd', 'y', 'z']);
  expect(length).toBe(3);
  expect(gaps!.at(-1)).toEqual({ one: [4, 5], other: [4, 6] });
  expect(commonOrder([], ['a'])).toEqual({ length: 0, gaps: [{ one: [0, 0], other: [0, 1] }] });
  expect(commonOrder(['a'], ['a'])).toEqual({ length: 1, gaps: [] });
  const [one, other] = [1, 2].map((list) => Array.from({ length: 2_100 }, (_, index) => `${list} ${index}`));
  expect(commonOrder(['same', ...one!], ['same', ...other!])).toEqual({ length: 1, gaps: undefined });
});

it('tells numbers that are rounded, and what stands in place of a word with a reason', () => {
  const shown = wordsOf('Sum 0.666666666666667 Date 11/29/2026 end');
  shown[3]!.reason = 'today';
  const { missing, tooMany } = compareWords(wordsOf('Sum 0.666666667 Date 5/4/2014 end'), shown);
  expect(missing.map(({ reason }) => reason)).toEqual(['rounded', 'today']);
  expect(tooMany.map(({ reason }) => reason)).toEqual(['rounded', 'today']);
  expect(compareWords(wordsOf('0.667'), wordsOf('0.668123')).missing[0]?.reason).toBeUndefined();
});

it('asks for a reason for each file above 2 %, and names the file', () => {
  const page = { ...compareWords(wordsOf('one'), wordsOf('one two')), pageNumber: 1, unseen: 0 };
  const report: FileReport = { file: '/a.pdf', name: 'a.pdf', mimeType: 'application/pdf', pages: [page], waiting: 0 };
  expect(reasonsMissing([report], {})).toEqual([expect.objectContaining({ name: 'a.pdf', missing: 1 })]);
  expect(reasonsMissing([report], { 'a.pdf': 'Two words.' })).toEqual([]);
});

it('gives a reason that says something for each known file', () => {
  const known = JSON.parse(readFileSync(path.join(import.meta.dirname, 'known.json'), 'utf8')) as Known;
  for (const reason of Object.values(known)) expect(reason.length).toBeGreaterThan(20);
});

it('sets a third of any names aside for measuring', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `file ${index}.pdf`);
  expect(names.filter(isHeldOut).length / names.length).toBeCloseTo(1 / 3, 1);
});

/** Files with the words that people see of them, which need no other program. */
const shown: { name: string; bytes: Uint8Array; words: string }[] = [
  {
    name: 'covered.pdf',
    bytes: buildPdf({
      pages: [
        {
          content: `${line('Total due: 100.00', 50, 700)}1 1 1 rg 45 690 200 30 re f 0 g ${line('Total due: 900.00', 50, 700)}0 0 1 rg 40 590 300 40 re f 1 1 1 rg ${line('White on blue', 50, 600)}1 1 1 rg ${line('white on white', 50, 500)}`,
        },
      ],
    }),
    words: 'Total due: 900.00 White on blue',
  },
  {
    name: 'page.html',
    bytes: Buffer.from(
      '<table><tr><td>Net</td><td>100.00</td></tr></table><ol start="4"><li>Four</ol><p style="display:none">Never</p><input value="Jordan">',
    ),
    words: 'Net 100.00 4. Four Jordan',
  },
  {
    name: 'mail.eml',
    bytes: Buffer.from(
      'Subject: March\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>F\xfcr 95,20</p>',
      'latin1',
    ),
    words: 'Subject: March Für 95,20',
  },
  {
    name: 'letter.rtf',
    bytes: Buffer.from(String.raw`{\rtf1\ansi Dear {\b Jordan}, {\v secret }caf\'e9.\par}`, 'latin1'),
    words: 'Dear Jordan, café.',
  },
];

it.each(shown)('reads of $name what people see of it, in order', async ({ name, bytes, words }) => {
  const { pages } = await parseDocument({ bytes, mimeType: await detectType(bytes, name) });
  const own = pages.flatMap((page) => wordsOf(page.text));
  const found = compareWords(own, wordsOf(words));
  expect({ missing: found.missing, tooMany: found.tooMany }).toEqual({ missing: [], tooMany: [] });
  expect(found.inOrder).toBe(found.shown);
});
