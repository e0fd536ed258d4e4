import { setImmediate as breathe } from 'node:timers/promises';
import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { createIndexCopies, type IndexEntries } from './index-copies.ts';
import type { ResultIndexRecord } from './result-index-model.ts';

interface Key {
  organizationId: string;
  promptId: string;
}

/** The index of one organization in memory, by prompt; `gates` hold up the reading of a prompt's entries. */
function fakeIndex() {
  let clock = 1_000_000;
  const stored = new Map<string, Map<string, ResultIndexRecord>>();
  const stamps = new Map<string, number>();
  const gates = new Map<string, Promise<void>>();
  const reads: (Date | undefined)[] = [];
  const index: IndexEntries = {
    stamp: async ({ promptId }) => stamps.get(promptId) ?? 0,
    async newest({ promptId }) {
      const times = [...(stored.get(promptId)?.values() ?? [])].map((entry) => entry.indexed_at!.getTime());
      return times.length === 0 ? undefined : new Date(Math.max(...times));
    },
    async *entries({ promptId }, since) {
      reads.push(since);
      const found = [...(stored.get(promptId)?.values() ?? [])].filter(
        ({ indexed_at }) => since === undefined || indexed_at! >= since,
      );
      for (const entry of found) {
        yield [entry];
        await gates.get(promptId);
      }
    },
  };
  return {
    index,
    reads,
    gates,
    pass: (ms: number) => (clock += ms),
    write: (promptId: string, document: string, result: string) => {
      const entries = stored.get(promptId) ?? new Map<string, ResultIndexRecord>();
      const record = { document_id: new mongoose.Types.ObjectId(), result, document_name: document };
      entries.set(document, { ...record, indexed_at: new Date(clock) } as ResultIndexRecord);
      stored.set(promptId, entries);
      stamps.set(promptId, (stamps.get(promptId) ?? 0) + 1);
    },
  };
}

const copiesOf = (index: IndexEntries, cells = 1) =>
  createIndexCopies<Key, Map<string, string>>(index, {
    idOf: ({ promptId }) => promptId,
    create: () => new Map(),
    apply: async (copy, { document_name, result }) => void copy.set(document_name, result),
    cells: ({ size }) => size * cells,
    isWasteful: () => false,
  });
const key = (promptId: string) => ({ organizationId: 'o', promptId });

it('reads all entries once, then only those that were written since', async () => {
  const { index, reads, write, pass } = fakeIndex();
  const copies = copiesOf(index);
  expect(await copies.get(key('p'))).toEqual(new Map());
  for (const document of ['a', 'b']) write('p', document, '1');
  expect(await copies.get(key('p'))).toEqual(
    new Map([
      ['a', '1'],
      ['b', '1'],
    ]),
  );
  pass(60_000);
  write('p', 'b', '2');
  expect((await copies.get(key('p'))).get('b')).toBe('2');
  await copies.get(key('p'));
  expect(reads.map((since) => since !== undefined)).toEqual([false, false, true]);
});

it('misses nothing that is written while all entries are read, however long that takes', async () => {
  const { index, gates, write, pass } = fakeIndex();
  const copies = copiesOf(index);
  for (const document of ['a', 'b']) write('p', document, '1');
  const gate = Promise.withResolvers<void>();
  gates.set('p', gate.promise);
  const reading = copies.get(key('p'));
  await breathe();
  // The first entry has been read; another is written much later.
  pass(30_000);
  write('p', 'a', '2');
  pass(30_000);
  write('p', 'c', '1');
  gate.resolve();
  await reading;
  expect(await copies.get(key('p'))).toEqual(
    new Map([
      ['a', '2'],
      ['b', '1'],
      ['c', '1'],
    ]),
  );
});

it('does not wait for the entries of another prompt, and lets other work of the process continue', async () => {
  const { index, gates, write } = fakeIndex();
  const copies = copiesOf(index);
  for (let at = 0; at < 1_000; at += 1) write('large', String(at), '1');
  write('small', 'a', '1');
  const gate = Promise.withResolvers<void>();
  gates.set('large', gate.promise);
  const reading = copies.get(key('large'));
  expect(await copies.get(key('small'))).toEqual(new Map([['a', '1']]));
  gates.delete('large');
  gate.resolve();
  let turns = 0;
  const state = { isRead: false };
  void reading.then(() => (state.isRead = true));
  while (!state.isRead) {
    await breathe();
    turns += 1;
  }
  expect(turns).toBeGreaterThanOrEqual(4);
});

it('keeps the copies that were used last, and knows which one it keeps', async () => {
  const { index, write } = fakeIndex();
  const copies = copiesOf(index, 4_000_000);
  for (const prompt of ['p', 'q']) write(prompt, 'a', '1');
  expect(copies.kept(key('p'))).toBeUndefined();
  const copy = await copies.get(key('p'));
  expect(copies.kept(key('p'))).toBe(copy);
  await copies.get(key('q'));
  expect(copies.kept(key('p'))).toBeUndefined();
  expect(copies.kept(key('q'))).toBeDefined();
});
