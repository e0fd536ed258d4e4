import { expect, it } from 'vitest';
import { longestTurn } from '../../../../tests/timing/longest-turn.ts';
import { pageOf } from '../testing/grid-page.ts';
import { groundAtOnce } from '../testing/ground-at-once.ts';
import { groundResult } from './ground-result.ts';
import type { Grounding } from './grounding.ts';

const lines = Array.from({ length: 12_000 }, (_, row) => `Widget ${row} ${row}.50`).join('\n');
const listOf = (rows: number) => ({
  total: 5,
  items: Array.from({ length: rows }, (_, row) => ({ name: `Widget ${row}`, amount: row + 0.5 })),
});

/** A page and a list are as long as a document and a model make them. */
it('lets other work have a turn within a long list', { retry: 2 }, async () => {
  const page = pageOf(lines);
  let found: Record<string, Grounding> = {};
  const { longest } = await longestTurn(async () => (found = await groundResult(listOf(1_500), [page])));
  expect(found['items.1499.amount']).toMatchObject({ quote: '1499.50' });
  expect(longest).toBeLessThan(50);
});

it('finds the same as without turns', async () => {
  const page = pageOf(lines.slice(0, 10_000));
  expect(await groundResult(listOf(100), [page])).toEqual(groundAtOnce(listOf(100), [page]));
});
