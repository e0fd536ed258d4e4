import { expect, it } from 'vitest';
import { seenState } from './seen-state.ts';

it('refuses once a change of parts that somebody else has changed, and names them', () => {
  const seen = seenState<object>({ name: 'A', tag_ids: ['a'], every: '1h' });
  const now = { name: 'B', tag_ids: ['a', 'b'], every: '1h' };
  const change = { tag_ids: ['c'], every: '1d' };
  expect(() => seen.check(change, now)).toThrow('since you opened it: tags. ');
  expect(() => seen.check(change, now)).not.toThrow();
  expect(() => seen.check(change, { ...now, every: '2h' })).toThrow('how often');
});

it('refuses nothing that somebody else left as it was, or changed to the same', () => {
  const seen = seenState<object>({ name: 'A', enabled: true });
  expect(() => seen.check({ name: 'C' }, { name: 'A', enabled: false })).not.toThrow();
  expect(() => seen.check({ enabled: true }, { name: 'A', enabled: true })).not.toThrow();
});
