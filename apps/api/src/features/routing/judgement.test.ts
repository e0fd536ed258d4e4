import type { Route } from '@docwright/contract';
import { expect, it } from 'vitest';
import { longestTurn } from '../../../../../tests/timing/longest-turn.ts';
import { comparePatterns, judgeRoutes, type JudgedRoute } from './judgement.ts';

const routeOf = (at: number, when: Route['when']): JudgedRoute => ({
  name: `Route ${at}`,
  when,
  then: {},
  stop: false,
  trust: false,
  min_confidence: 0.9,
  enabled: true,
});
// No state of the engine comes twice, so that it remembers nothing.
const hostile = Array.from({ length: 4_000 }, (_, at) => 'abc'[(at * at * 7 + (at >> 3)) % 3]).join('');
const document = {
  document_name: 'a.pdf',
  mime_type: 'application/pdf',
  page_count: 1,
  metadata: { subject: hostile, number: 7 },
  upload_date: '2026-01-01T00:00:00Z',
};

it(
  'compares many slow patterns with turns for other requests between them, once for a judgement',
  { retry: 2 },
  async () => {
    const routes = Array.from({ length: 60 }, (_, at) =>
      routeOf(at, { metadata: { subject: `^(?:[ab]{0,6}[bc]{0,6}){0,12}x{${at}}$`, number: '^7$' } }),
    );
    const { longest, total } = await longestTurn(() => comparePatterns(routes, document));
    expect(longest).toBeLessThan(Math.max(100, total / 4));
    const judging = process.threadCpuUsage();
    expect(judgeRoutes(routes, { document, text: '' })).toMatchObject({ state: 'none' });
    expect(process.threadCpuUsage(judging).user).toBeLessThan(100_000);
  },
);

it('judges as it does without comparing before', async () => {
  const routes = [
    routeOf(1, { name_matches: '^a' }),
    routeOf(2, { metadata: { number: '^7$' } }),
    routeOf(3, { metadata: { number: '^8$' } }),
    routeOf(4, { metadata: { missing: '.' } }),
  ];
  const before = judgeRoutes(routes, { document, text: '' });
  await comparePatterns(routes, document);
  expect(judgeRoutes(routes, { document, text: '' })).toEqual(before);
  expect(before.routes.map(({ name }) => name)).toEqual(['Route 1', 'Route 2']);
});
