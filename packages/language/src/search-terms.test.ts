import { expect, it } from 'vitest';
import { longestTurn } from '../../../tests/timing/longest-turn.ts';
import { searchTerms, searchTermsInTurns } from './search-terms.ts';

/** A page of a document has up to 2,000,000 characters. */
const length = 2_000_000;

it('lets other work have a turn within a page without spaces', { retry: 2 }, async () => {
  let terms: Iterable<string> = [];
  const { longest } = await longestTurn(async () => (terms = await searchTermsInTurns('ก'.repeat(length))));
  expect([...terms]).toEqual(['ก']);
  expect(longest).toBeLessThan(50);
});

it('compares the beginning of a word of a megabyte alone', { retry: 2 }, () => {
  const word = 'É'.repeat(length);
  const start = process.threadCpuUsage();
  const terms = searchTerms(`${word} Größe`);
  expect(process.threadCpuUsage(start).user / 1_000).toBeLessThan(100);
  expect([...terms]).toEqual(['e'.repeat(40), 'grosse']);
});
