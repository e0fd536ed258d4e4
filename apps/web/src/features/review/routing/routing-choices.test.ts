import type { DocumentRouting, Route } from '@docwright/contract';
import { expect, it } from 'vitest';
import { choicesOf, routesBeside } from './routing-choices.ts';

const routes = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }) as Route);
const routing = (part: Partial<DocumentRouting>): { routing: DocumentRouting } => ({
  routing: { state: 'unsure', route_ids: [], why: '', by: 'rule', ...part },
});

it('a key takes each candidate that still exists, and 0 none', () => {
  const candidates = [
    { route_id: 'b', why: 'Like it.', confidence: 0.7 },
    { route_id: 'gone', why: '' },
    { route_id: 'a', why: 'Maybe.' },
  ];
  const choices = choicesOf(routing({ candidates }), routes);
  expect(choices.map(({ key, routeId, label }) => [key, routeId, label])).toEqual([
    ['1', 'b', 'B'],
    ['2', 'a', 'A'],
    ['0', null, 'No route'],
  ]);
  expect(choices[0]).toMatchObject({ why: 'Like it.', confidence: 0.7 });
  expect(routesBeside(choices, routes).map(({ id }) => id)).toEqual(['c']);
});

it('a scan that waits for its split can stay whole, with its route or without', () => {
  const choices = choicesOf(routing({ state: 'waiting_split', route_ids: ['a', 'gone'] }), routes);
  expect(choices.map(({ key, routeId, label }) => [key, routeId, label])).toEqual([
    ['1', 'a', 'Leave it whole, as A'],
    ['0', null, 'Leave it whole, without a route'],
  ]);
  expect(choicesOf({}, routes)).toEqual([]);
});
