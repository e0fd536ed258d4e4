import { expect, it } from 'vitest';
import { carriersAmong, findIdInCarriers, lookAlikes } from './carriers.ts';

const id = '6f3a9c01b2d4e58790abcdef';
const reversed = Array.from(id).toReversed().join('');

it.each([
  ['whole', `call ${id} now`],
  ['in capitals with spaces', `call ${id.toUpperCase().replaceAll(/(.{4})/g, '$1 ')} now`],
  ['in two parts', `starts with ${id.slice(0, 12)}, then ${id.slice(12)}`],
  ['with its parts exchanged', `ends with ${id.slice(10)} behind ${id.slice(0, 10)} there`],
  ['backwards', `call ${reversed} now`],
  ['with misread digits', `call ${id.replaceAll('0', 'o').replaceAll('1', 'l')} now`],
])('finds an id in a name: %s', (_how, name) => {
  const carriers = carriersAmong([{ ids: ['other'], names: [name] }], () => false);
  expect(findIdInCarriers(carriers, id)).toBeDefined();
  expect(
    findIdInCarriers(
      carriersAmong([{ ids: [id], names: [name] }], () => false),
      id,
    ),
  ).toBeUndefined();
});

it('reads few of many names for an id', () => {
  const names = Array.from(
    { length: 2_000 },
    (_, at) => `Account of the department ${at * 7_919} for deeds and facades`,
  );
  let read = 0;
  const carriers = carriersAmong([{ ids: [], names }], () => false);
  for (const { index } of carriers) {
    const findId = index.findId.bind(index);
    index.findId = (text) => {
      read += 1;
      return findId(text);
    };
  }
  for (let at = 0; at < 50; at += 1) findIdInCarriers(carriers, `6f3a9c01b2d4e5879${String(at).padStart(7, '0')}`);
  expect(read).toBeLessThan((carriers.length * 50) / 50);
});

it('tells names that look alike, and no others', () => {
  const namesOf = new Map([
    ['latin', ['Invoice']],
    ['revision', ['Invoice']],
    ['cyrillic', ['Invoic\u0435']],
    ['joined', ['In\u200dvoice']],
    ['accent', ['Caf\u00e9']],
    ['same', ['cafe\u0301']],
    ['other', ['Invoices']],
  ]);
  expect([...lookAlikes(namesOf)]).toEqual(['latin', 'revision', 'cyrillic', 'joined']);
});
