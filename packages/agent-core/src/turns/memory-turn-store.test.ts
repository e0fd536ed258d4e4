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
  it('is bounded: at the limit the oldest turn expires', async () => {
    const store = createMemoryTurnStore({ maxTurns: 3 });
    const turns = Array.from({ length: 5 }, (_, at) => samplePendingTurn(`turn${at}`));
    for (const turn of turns) await store.save(turn);
    const states = await Promise.all(turns.map(async ({ turnId, owner }) => (await store.find(turnId, owner)).state));
    expect(states).toEqual(['expired', 'expired', 'waiting', 'waiting', 'waiting']);
  });

  it('forgets turns that expired long ago', async () => {
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

  it('keeps a turn for a day, and reports it as expired for another day', async () => {
    const day = 24 * 60 * 60 * 1000;
    let time = 0;
    const store = createMemoryTurnStore({ now: () => time });
    const first = samplePendingTurn('first');
    const stateAt = async (at: number) => {
      time = at;
      // Saving another turn removes old entries; it must not remove this one.
      await store.save(samplePendingTurn('other'));
      return (await store.find('first', first.owner)).state;
    };
    await store.save(first);
    expect(await stateAt(day - 1)).toBe('waiting');
    expect(await stateAt(day)).toBe('expired');
    expect(await stateAt(2 * day - 1)).toBe('expired');
    expect(await stateAt(2 * day)).toBe('missing');
  });

  it('does not count expired turns against the limit of pending turns', async () => {
    let time = 0;
    const store = createMemoryTurnStore({ ttlMs: 10, maxTurns: 2, now: () => time });
    const turns = ['a', 'b', 'c'].map((turnId) => samplePendingTurn(turnId));
    await store.save(turns[0]!);
    time = 10;
    expect((await store.find('a', turns[0]!.owner)).state).toBe('expired');
    await store.save(turns[1]!);
    await store.save(turns[2]!);
    expect((await store.find('b', turns[1]!.owner)).state).toBe('waiting');
    expect((await store.find('a', turns[0]!.owner)).state).toBe('expired');
    // The oldest pending turn expires. Saving the same turn again expires no other.
    await store.save(samplePendingTurn('d'));
    await store.save(samplePendingTurn('d'));
    const states = await Promise.all(['b', 'c', 'd'].map(async (id) => (await store.find(id, turns[0]!.owner)).state));
    expect(states).toEqual(['expired', 'waiting', 'waiting']);
  });

  it('remembers as many expired turns as the limit of pending turns, and forgets older ones', async () => {
    const store = createMemoryTurnStore({ maxTurns: 1 });
    const turns = ['a', 'b', 'c'].map((turnId) => samplePendingTurn(turnId));
    for (const turn of turns) await store.save(turn);
    const states = await Promise.all(turns.map(async ({ turnId, owner }) => (await store.find(turnId, owner)).state));
    expect(states).toEqual(['missing', 'expired', 'waiting']);
  });
});
