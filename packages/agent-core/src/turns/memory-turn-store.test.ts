import { describe, expect, it } from 'vitest';
import { samplePendingTurn, turnStoreSuite } from '../testing/turn-store-suite.ts';
import { createMemoryTurnStore } from './memory-turn-store.ts';

turnStoreSuite({ describe, it, expect }, async () => {
  let time = 1000;
  const store = createMemoryTurnStore({ ttlMs: 50, now: () => time });
  return {
    store,
    expireAll: async () => {
      time += 50;
    },
  };
});

describe('the size of the memory store', () => {
  it('is bounded: the oldest turn makes room and counts as expired', async () => {
    const store = createMemoryTurnStore({ maxTurns: 3 });
    const turns = Array.from({ length: 5 }, (_, at) => samplePendingTurn(`turn${at}`));
    for (const turn of turns) await store.save(turn);
    const states = await Promise.all(turns.map(async ({ turnId, owner }) => (await store.find(turnId, owner)).state));
    expect(states).toEqual(['expired', 'expired', 'waiting', 'waiting', 'waiting']);
  });

  it('stays bounded for turns that have long been gone', async () => {
    let time = 0;
    const store = createMemoryTurnStore({ ttlMs: 10, maxTurns: 3, now: () => time });
    const first = samplePendingTurn('first');
    await store.save(first);
    for (let at = 0; at < 10; at++) {
      time += 4;
      await store.save(samplePendingTurn(`turn${at}`));
    }
    expect(await store.find('first', first.owner)).toEqual({ state: 'missing' });
  });
});
