import { expect, it } from 'vitest';
import { checkClaims } from './check-claims.ts';
import { checkAtOnce } from './testing/check-at-once.ts';
import { documents, evidence } from './testing/varied-world.ts';

const size = 30_000;
const fill = (part: string): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);

it('looks for a name that a thousand documents begin with in no more time than for others', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    id: `d${at}`,
    name: `${at}.pdf`,
    names: [`Contoso ${at} GmbH`],
  }));
  const text = `${'Contoso owes nothing. '.repeat(400)}Contoso 17 GmbH owes 5 EUR.`;
  const start = process.threadCpuUsage();
  const claims = checkAtOnce({ text, evidence: [], documents: many, locale: 'en' });
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(1);
  expect(claims.at(-1)).toMatchObject({ support: 'unsupported' });
});

it('leaves turns to others while it checks a long answer, and checks nothing that is no sentence', async () => {
  const text = 'Kestrel Freight Ltd billed 4,870.50 GBP [[k1]]. '.repeat(600);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const claims = await checkClaims({ text, evidence, documents, locale: 'en' });
  clearInterval(timer);
  expect(claims).toEqual(checkAtOnce({ text, evidence, documents, locale: 'en' }));
  expect(turns).toBeGreaterThan(1);
  const [endless] = checkAtOnce({ text: fill('“Kestrel '), evidence, documents, locale: 'en' });
  expect(endless).toMatchObject({ support: 'unsupported', why: expect.stringContaining('too long') });
});

it('checks the beginning of an answer without end, and calls the rest unsupported as a whole', () => {
  const start = process.threadCpuUsage();
  const text = 'Kestrel Freight Ltd billed 4,870.50 GBP [[k1]]. '.repeat(80_000);
  const claims = checkAtOnce({ text, evidence, documents, locale: 'en' });
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(3);
  expect(claims.slice(0, 3).map(({ support }) => support)).toEqual(Array(3).fill('supported'));
  const rest = claims.at(-1)!;
  expect(rest).toMatchObject({ to: text.length, support: 'unsupported', why: expect.stringContaining('too long') });
  expect([claims.length < 5_000, rest.from > 50_000, rest.text.length < 5_000]).toEqual([true, true, true]);
  // The claims leave no gap, and no sentence is cut.
  const gaps = claims.slice(1).filter(({ from }, at) => text.slice(claims[at]!.to, from).trim() !== '');
  expect(gaps).toEqual([]);
});

it.each([
  ['digits of other scripts', '４,８７１.50', '٤٨٧٢', '๔๘๗๒'],
  ['digits of formulas', '𝟰𝟴𝟳𝟭', '𝟜,870.50'],
  ['exponents and fractions behind a number', '4,870.50⁵', '4,870½', '4870 ¾'],
  ['numbers in circles', '④⑧⑦⓪'],
  ['words that multiply', '4,870.50 dozen', '4,870.50 hundred', '4,870.50 lakh'],
])('%s are no way around the check', (_, ...amounts) => {
  for (const amount of amounts) {
    const text = `Kestrel Freight Ltd billed ${amount} GBP [[k1]].`;
    expect([amount, checkAtOnce({ text, evidence, documents, locale: 'en' })[0]!.support]).toEqual([
      amount,
      'unsupported',
    ]);
  }
});

it('a true number is supported in the digits of any script, and behind the mark of a list', () => {
  for (const text of [
    'Kestrel Freight Ltd billed ４,８７０.50 GBP [[k1]].',
    '① Kestrel Freight Ltd billed 4,870.50 GBP [[k1]].',
  ]) {
    expect([text, checkAtOnce({ text, evidence, documents, locale: 'en' })[0]!.support]).toEqual([text, 'supported']);
  }
});

// Texts on which a careless pattern needs minutes.
it.each([
  ['marks that do not end', fill('[[')],
  ['marks in marks', fill('[[[[k1]]')],
  ['marks of spaces', fill('[[ , ; ')],
  ['one sentence of citations', fill('[[k1]] ')],
  ['full stops', fill('.')],
  ['words and full stops', fill('a.')],
  ['signs', fill('-/_#')],
  ['percent signs', fill('1 % ')],
  ['weekdays', fill('Monday, ')],
  ['fillers before a number', `over ${fill('the ')} 5 [[k1]]`],
  ['quotation marks', fill('“„«"‘')],
  ['digits', fill('1')],
  ['groups of digits', fill('1.234,')],
  ['dates', fill('1.1.2026 - ')],
  ['spaces', `a${fill(' ')}b [[k1]]`],
  ['rows', fill('| Kestrel Freight Ltd | 4,870.50 GBP [[k1]] |\n')],
  ['a list under a colon', fill('All of them:\n- Kestrel [[k1]]\n')],
  ['number words', fill('twenty-one dozen half of the ')],
  ['negations', `${fill('not without no ')} [[ren]]`],
  ['words of a passage', `${fill('renews notice party year ')} [[ren]]`],
])('checks an answer of %s in seconds', (_, text) => {
  const start = process.threadCpuUsage();
  const claims = checkAtOnce({ text, evidence, documents, locale: 'de' });
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(3);
  expect(claims.every(({ from, to, text: part }) => text.slice(from, to) === part)).toBe(true);
});

it.each([
  ['12345678901234567891', '12345678901234567891', '12345678901234567890'],
  ['DE 9007199254740993', '9007199254740993', '9007199254740992'],
  ['EUR 9,007,199,254,740,993.00', '9,007,199,254,740,993', '9,007,199,254,740,992'],
  [9007199254740992, '9007199254740992', '9007199254740993'],
])('a number of many digits is compared digit by digit: %s', (value, right, rounded) => {
  const cell = { kind: 'cell', id: 'k1', document_id: 'd', path: 'account', value } as const;
  const supportOf = (said: string) =>
    checkAtOnce({
      text: `The account is ${said} [[k1]].`,
      evidence: [cell],
      documents: [{ id: 'd', name: 'a.pdf', names: [] }],
      locale: 'en',
    })[0]!.support;
  expect([right, rounded].map(supportOf)).toEqual(['supported', 'unsupported']);
});
