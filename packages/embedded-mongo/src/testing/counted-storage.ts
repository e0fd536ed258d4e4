import { Storage } from '../storage/storage.ts';

/** An empty storage in memory that counts the documents that are read from it. */
export interface CountedStorage {
  storage: Storage;
  /** The number of documents read since the last call. */
  takeReads(): number;
}

export function openCountedStorage(): CountedStorage {
  const storage = new Storage(':memory:', 'off');
  const statement = storage.statement.bind(storage);
  let reads = 0;
  storage.statement = (sql) => {
    const prepared = statement(sql);
    if (!/\bdoc\b/.test(sql)) return prepared;
    return {
      *iterate(...parameters: Parameters<typeof prepared.iterate>) {
        for (const row of prepared.iterate(...parameters)) {
          reads++;
          yield row;
        }
      },
      all: prepared.all.bind(prepared),
      run: prepared.run.bind(prepared),
      get: prepared.get.bind(prepared),
    } as typeof prepared;
  };
  return {
    storage,
    takeReads() {
      const taken = reads;
      reads = 0;
      return taken;
    },
  };
}

/** Numbers from 0 to 1. The same seed gives the same numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
