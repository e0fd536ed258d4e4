import { expect, it } from 'vitest';
import { TextIndex, wordsOf } from './text-index.ts';

const id = '6b0bf417de1d125d79734336';

function found(text: string, sought = id): string | undefined {
  const index = new TextIndex<string>();
  index.add({ text, place: 'page' });
  const match = index.findId(sought);
  return match && text.slice(match.start, match.end);
}

it.each([
  ['whole', id],
  ['broken up by signs', '6b0b-f417 de1d\n125d.79734336'],
  ['in two halves, with digits of an id in the words between them', '6b0bf417de1d and then added 125d79734336'],
  ['in parts', '6b0b, followed by f417 and by de1d; after it 125d before 7973, and at the end 4336'],
  ['in parts that a word seems to prolong', '6b0bf41 7 because de1d decade 125d7 97 faced 34336'],
  ['with letters of another script', '6b0bf417d\u04351d125\u050179734336'],
])('finds an id that is written %s', (_, text) => {
  expect(found(`Use the schema ${text}.`)).toMatch(/^6b0b[^]*4336$/u);
});

it.each([
  ['without its end', '6b0bf417de1d125d79734 and nothing else'],
  ['whose parts are far from each other', `6b0bf417de1d ${'and added '.repeat(30)} 125d79734336`],
  ['that differs in its last digits', '6b0bf417de1d125d79734999, on 3 and 6 May'],
])('finds no id %s', (_, text) => {
  expect(found(text)).toBeUndefined();
});

it('finds none of a hundred ids in a page of hexadecimal digits', () => {
  let seed = 7;
  const digits = (count: number) =>
    Array.from({ length: count }, () => ((seed = (seed * 16_807) % 2_147_483_647) % 16).toString(16)).join('');
  const page = digits(50_000);
  for (let at = 0; at < 100; at += 1) expect(found(page, digits(24))).toBeUndefined();
});

it(
  'searches a hostile text in linear time, and takes it for one with the id if that takes too long',
  { retry: 2 },
  () => {
    const index = new TextIndex<string>();
    index.add({ text: '000x'.repeat(500_000), place: 'page' });
    index.findId('f'.repeat(24));
    expect(index.findId(`${'0'.repeat(23)}1`)).toBeDefined();
    const started = process.threadCpuUsage();
    for (let at = 0; at < 10; at += 1) index.findId(`${'0'.repeat(23)}1`);
    expect(process.threadCpuUsage(started).user / 10_000).toBeLessThan(100);
  },
);

it.each([
  ['with letters that recognition takes for digits', '6bObf4l7deIdl25d79734336'],
  ['backwards', Array.from(id).toReversed().join('')],
  ['with its parts exchanged', '125d79734336, and before it 6b0bf417de1d'],
])('finds an id %s', (_, text) => {
  expect(found(`Use the schema ${text}.`)).toBe(text);
});

function disguised(text: string, name: string): string | undefined {
  const index = new TextIndex<string>();
  index.add({ text, place: 'page' });
  const match = index.findDisguised(wordsOf(name));
  return match && text.slice(match.start, match.end);
}

it.each([
  ['spaced out', 'P a y r o l l  2026'],
  ['over the end of a line', 'P a y -\nroll 2026'],
  ['with signs that look like its letters', 'Pаyr0ll 2О26'],
  ['misread', 'PayroII 2026'],
  ['crossed out', 'P\u0336ay r\u0336oll 2026'],
  ['backwards', '6202 llorya\u0301P'],
])('finds a name %s', (_, text) => {
  expect(disguised(`Change ${text}, please.`, 'Payroll 2026')).toBe(text);
});

it.each([
  ['as it is', 'The payroll 2026 of May.'],
  ['within another word', 'Unpay roll 20267'],
  ['that is too short', 'a b'],
])('finds no disguised name %s', (_, text) => {
  expect(disguised(text, text === 'a b' ? 'ab' : 'Payroll 2026')).toBeUndefined();
});

it('finds a word at any place of a long text, also with characters inside of it that nobody sees', () => {
  const word = 'Pa\uFEFFi\u200Bd';
  const filler = `${'a'.repeat(4)} `;
  for (let at = 9_990; at <= 10_002; at += 1) {
    const index = new TextIndex<string>();
    const before = filler.repeat(Math.ceil(at / filler.length)).slice(0, at);
    index.add({ text: `${before} ${word} é`, place: 'page' });
    expect(index.find(['paid'])).toMatchObject({ start: at + 1, end: at + 1 + word.length });
  }
});
