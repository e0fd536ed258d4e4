import mongoose from 'mongoose';
import { expect, it, vi } from 'vitest';
import type { ResultIndexRepository } from '../results/index.ts';
import { createAskResults } from './ask-results.ts';

const key = { organizationId: '0'.repeat(24), promptId: 'p' };

/** The results of a prompt whose index has these. */
async function resultsOf(stored: readonly unknown[]) {
  const entries = stored.map((result) => ({
    document_id: new mongoose.Types.ObjectId(),
    result: JSON.stringify(result),
    exact: '{}',
    is_complete: true,
  }));
  const index = {
    stamp: async () => 1,
    newest: async () => undefined,
    async *entries() {
      yield entries;
    },
  } as unknown as ResultIndexRepository;
  return [...(await createAskResults(index, { catchUp: async () => undefined }).get(key)).results.values()];
}

it('keeps what a question reads of a long result: no question reads thousands of rows', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ item: `Item ${at}`, amount: at }));
  const text = 'x'.repeat(300_000);
  const [long, short] = await resultsOf([
    { total: 7, rows, inner: { text } },
    { total: 8, rows: rows.slice(0, 150) },
  ]);
  expect(long!.result).toMatchObject({ total: 7, inner: { text: expect.stringMatching(/^x+…$/u) } });
  expect(JSON.stringify(long!.result).length).toBeLessThan(20_000);
  expect(long!.result['rows']).toEqual(rows.slice(0, 100));
  expect(short!.result).toEqual({ total: 8, rows: rows.slice(0, 150) });
});

it('results that are too much for the memory of a process are refused, and not read again with the next question', async () => {
  const text = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(90, '.'));
  const entries = Array.from({ length: 12 }, () => ({
    document_id: new mongoose.Types.ObjectId(),
    result: JSON.stringify({ text }),
    exact: '{}',
    is_complete: true,
  }));
  let reads = 0;
  const index = {
    stamp: async () => 1,
    newest: async () => undefined,
    async *entries() {
      reads += 1;
      yield entries;
    },
    async *entriesOf() {
      yield entries.slice(0, 2);
    },
  } as unknown as ResultIndexRepository;
  const results = createAskResults(index, { catchUp: async () => undefined }, 100_000);
  const refused = { code: 'scope_too_large' };
  await Promise.all([0, 1].map(() => expect(results.get(key)).rejects.toMatchObject(refused)));
  await expect(results.get(key)).rejects.toMatchObject(refused);
  const begun = reads;
  await expect(results.get(key)).rejects.toMatchObject(refused);
  expect(reads).toBe(begun);
  expect(await results.of(key, [entries[0]!.document_id.toHexString()])).toMatchObject([{ result: { text } }, {}]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  await expect(results.get(key)).rejects.toMatchObject(refused);
  vi.useRealTimers();
  expect(reads).toBe(begun + 1);
});

it('of named documents, a turn keeps no more than the memory of a process allows, and can try again with fewer', async () => {
  const entries = Array.from({ length: 4 }, (_, at) => ({
    document_id: new mongoose.Types.ObjectId(),
    result: JSON.stringify({ text: `${at}`.padEnd(389, '.') }),
    exact: '{}',
    is_complete: true,
    ...(at === 3 && { is_removed: true }),
  }));
  const index = {
    async *entriesOf(_key: unknown, ids: readonly string[]) {
      for (const id of ids) yield entries.filter(({ document_id }) => document_id.toHexString() === id);
    },
  } as unknown as ResultIndexRepository;
  const results = createAskResults(index, { catchUp: async () => undefined }, 1_000);
  const [one, two, three, removed] = entries.map(({ document_id }) => document_id.toHexString()) as [
    string,
    string,
    string,
    string,
  ];
  const refused = { code: 'scope_too_large' };
  expect(await results.measure(key, [one, two, removed])).toEqual({ count: 2, characters: 800 });
  await expect(results.measure(key, [one, two, three])).rejects.toMatchObject(refused);
  const kept = { characters: 0 };
  await expect(results.of(key, [one, two, three], kept)).rejects.toMatchObject(refused);
  expect(kept.characters).toBe(0);
  expect(await results.of(key, [one, two, removed], kept)).toHaveLength(2);
  expect(kept.characters).toBe(800);
  await expect(results.of(key, [three], kept)).rejects.toMatchObject(refused);
  expect(kept.characters).toBe(800);
});

it('has the digits of numbers that JSON would round: an answer that states the rounded ones is wrong', async () => {
  const entry = {
    document_id: new mongoose.Types.ObjectId(),
    result: '{"account":9007199254740993,"rate":0.1,"rows":[{"id":12345678901234567891}],"total":7}',
    exact: JSON.stringify({
      account: '9007199254740993',
      rate: '0.10000000000000001',
      'rows.0.id': '12345678901234567891',
    }),
    is_complete: true,
  };
  const index = {
    async *entriesOf() {
      yield [entry];
    },
  } as unknown as ResultIndexRepository;
  const results = createAskResults(index, { catchUp: async () => undefined });
  const [found] = await results.of(key, [entry.document_id.toHexString()]);
  expect(found!.result).toEqual({
    account: '9007199254740993',
    rate: 0.1,
    rows: [{ id: '12345678901234567891' }],
    total: 7,
  });
});
