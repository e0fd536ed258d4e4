import { expect, it } from 'vitest';
import { checkClaims, checkClaimsYielding } from './check-claims.ts';
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
  const claims = checkClaims({ text, evidence: [], documents: many, locale: 'en' });
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(1);
  expect(claims.at(-1)).toMatchObject({ support: 'unsupported' });
});

it('leaves turns to others while it checks a long answer, and checks nothing that is no sentence', async () => {
  const text = 'Kestrel Freight Ltd billed 4,870.50 GBP [[k1]]. '.repeat(600);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const claims = await checkClaimsYielding({ text, evidence, documents, locale: 'en' });
  clearInterval(timer);
  expect(claims).toEqual(checkClaims({ text, evidence, documents, locale: 'en' }));
  expect(turns).toBeGreaterThan(2);
  const [endless] = checkClaims({ text: fill('“Kestrel '), evidence, documents, locale: 'en' });
  expect(endless).toMatchObject({ support: 'unsupported', why: expect.stringContaining('too long') });
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
  const claims = checkClaims({ text, evidence, documents, locale: 'de' });
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(3);
  expect(claims.every(({ from, to, text: part }) => text.slice(from, to) === part)).toBe(true);
});
