import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { add, type Figures } from '../figures.ts';
import { keptContributionModel, keptSumModel } from './kept-sums-model.ts';
import { createKeptSums } from './kept-sums.ts';
import type { Summed } from './summed.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await Promise.all([keptSumModel(connection).createIndexes(), keptContributionModel(connection).createIndexes()]);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => connection.close());

const all = Infinity;
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

interface Entry {
  figures: Figures;
  /** The stamp of its last change. */
  at: number;
}

/** Members in memory, whose every read takes a turn of the event loop. */
function members(name: string) {
  const entries = new Map<string, Entry>();
  let stamp = 0;
  const reads: string[][] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function* batch(ids: string[]) {
    await turn();
    yield ids;
  }
  const summed: Summed = {
    organizationId: new mongoose.Types.ObjectId().toHexString(),
    name,
    async stamp() {
      await turn();
      return String(stamp);
    },
    all: () => batch([...entries.keys()]),
    changed: (since) => batch([...entries].flatMap(([id, { at }]) => (at > Number(since.stamp) ? [id] : []))),
    async measure(ids) {
      reads.push([...ids]);
      const found = ids.map((id) => [id, entries.get(id)?.figures ?? {}] as const);
      await turn();
      return new Map(found);
    },
  };
  return {
    summed,
    reads,
    set: (id: string, figures: Figures) => {
      stamp += 1;
      entries.set(id, { figures, at: stamp });
    },
    counted: () => {
      const total: Record<string, number[]> = {};
      for (const { figures } of entries.values()) add(total, figures, 1);
      return Object.fromEntries(Object.entries(total).filter(([, own]) => own.some((figure) => figure !== 0)));
    },
  };
}

it('reads only what has changed since the last look', async () => {
  const { summed, reads, set } = members('changes');
  const sums = createKeptSums(connection);
  for (let at = 0; at < 450; at += 1) set(`m${at}`, { all: [1, at] });
  expect(await sums.get(summed, all)).toEqual({ figures: { all: [450, (449 * 450) / 2] }, isWhole: true });
  expect(reads.map(({ length }) => length)).toEqual([200, 200, 50]);
  set('m7', { all: [1, 0], seven: [1, 1] });
  expect(await sums.get(summed, all)).toEqual({
    figures: { all: [450, (449 * 450) / 2 - 7], seven: [1, 1] },
    isWhole: true,
  });
  expect(await sums.get(summed, all)).toMatchObject({ figures: { seven: [1, 1] }, isWhole: true });
  expect(reads.slice(3)).toEqual([['m7']]);
  expect(await sums.contributionOf(summed, [new Set(['m7', 'm9']), new Set(['m9', 'unknown'])])).toEqual({
    all: [2, 9],
    seven: [1, 1],
  });
});

it('what the same sets of members contribute is read again only after a change', async () => {
  const { summed, set } = members('sets');
  const sums = createKeptSums(connection);
  for (const id of ['m1', 'm2', 'm3']) set(id, { all: [1] });
  await sums.get(summed, all);
  const sets = [new Set(['m1', 'm2']), new Set(['m2'])];
  const reads = vi.spyOn(keptContributionModel(connection), 'find');
  for (let look = 0; look < 2; look += 1) expect(await sums.contributionOf(summed, [...sets])).toEqual({ all: [2] });
  expect(reads).toHaveBeenCalledTimes(1);
  set('m2', { all: [5] });
  await sums.get(summed, all);
  expect(await sums.contributionOf(summed, sets)).toEqual({ all: [6] });
});

it('equals a count after random changes, looks of several processes at once, and writes that were cut off', async () => {
  const { summed, set, counted } = members('random');
  const processes = [createKeptSums(connection), createKeptSums(connection), createKeptSums(connection)];
  const store = vi.spyOn(keptContributionModel(connection), 'bulkWrite');
  for (let round = 0; round < 40; round += 1) {
    for (let change = 0; change < 5; change += 1) {
      const id = `m${(round * 7 + change * 3) % 31}`;
      const group = `group ${(round + change) % 3}`;
      set(id, (round + change) % 4 === 0 ? {} : { [group]: [1, round], 'a.$b': [round] });
    }
    // The process dies between the sums and their contributions.
    if (round % 3 === 0) store.mockImplementationOnce(() => Promise.reject(new Error('killed')));
    const looks = processes.map(async (sums) => sums.get(summed, all).catch(() => undefined));
    // Changed while they look.
    set(`m${round % 31}`, { 'group 1': [2, 2] });
    await Promise.all(looks);
    expect(await processes[round % 3]!.get(summed, all)).toEqual({ figures: counted(), isWhole: true });
  }
});

it('measures all again if it is not known any more what has changed', async () => {
  const { summed, set, reads } = members('forgotten');
  const sums = createKeptSums(connection);
  set('gone', { all: [1] });
  set('here', { all: [1] });
  await sums.get(summed, all);
  set('gone', {});
  set('new', { all: [5] });
  const forgetful: Summed = {
    ...summed,
    changed: () => undefined,
    all: async function* () {
      yield ['here', 'new'];
    },
  };
  expect(await sums.get(forgetful, all)).toEqual({ figures: { all: [6] }, isWhole: true });
  expect(reads.slice(1)).toEqual([['gone', 'here', 'new']]);
});

it('leaves the measuring of many members to the next round', async () => {
  const { summed, set, reads } = members('many 1');
  const sums = createKeptSums(connection);
  for (let at = 0; at < 450; at += 1) set(`m${at}`, { all: [1] });
  expect(await sums.get(summed, 200)).toMatchObject({ isWhole: false });
  const { signal } = new AbortController();
  await sums.keepUp('other ', () => summed, signal);
  expect(await sums.get(summed, 200)).toMatchObject({ isWhole: false });
  await sums.keepUp('many ', (named) => ({ ...summed, ...named }), signal);
  reads.length = 0;
  await sums.keepUp('many ', () => summed, signal);
  expect(await sums.get(summed, 0)).toEqual({ figures: { all: [450] }, isWhole: true });
  expect(reads).toEqual([]);
});

it('shows what is measured so far while many members are left: each look had measured a thousand of them', async () => {
  const { summed, set, reads } = members('so far 1');
  const sums = createKeptSums(connection);
  for (let at = 0; at < 450; at += 1) set(`m${at}`, { all: [1] });
  for (let look = 0; look < 2; look += 1) {
    expect(await sums.get(summed, 300)).toEqual({ figures: { all: [200] }, isWhole: false });
  }
  expect(reads.map(({ length }) => length)).toEqual([200]);
  await sums.keepUp('so far ', () => summed, new AbortController().signal);
  for (let at = 0; at < 301; at += 1) set(`m${at}`, { all: [2] });
  expect(await sums.get(summed, 300)).toEqual({ figures: { all: [450] }, isWhole: false, wasWhole: true });
});

it('measures only what has changed after a look that left it to the next round, and after a stop', async () => {
  const { summed, set, reads, counted } = members('rest 1');
  const mindful: Summed = {
    ...summed,
    changed: (since) => (Date.now() - since.keptAt.getTime() > 12 * 3_600_000 ? undefined : summed.changed(since)),
  };
  const sums = createKeptSums(connection);
  for (let at = 0; at < 450; at += 1) set(`m${at}`, { all: [1, at] });
  await sums.get(mindful, all);
  for (let at = 0; at < 3; at += 1) set(`m${at}`, { all: [2, at] });
  reads.length = 0;
  expect(await sums.get(mindful, 2)).toMatchObject({ isWhole: false });
  const stop = new AbortController();
  const stopping: Summed = {
    ...mindful,
    stamp: () => {
      stop.abort();
      return summed.stamp();
    },
  };
  await sums.keepUp('rest ', () => stopping, stop.signal);
  expect(reads).toEqual([]);
  await sums.keepUp('rest ', () => mindful, new AbortController().signal);
  expect(reads).toEqual([['m0', 'm1', 'm2']]);
  expect(await sums.get(mindful, 0)).toEqual({ figures: counted(), isWhole: true });
});

it('a sum that cannot be measured keeps no others from being measured, and is told', async () => {
  const sums = createKeptSums(connection);
  const named = [1, 2, 3].map((number) => members(`broken ${number}`));
  for (const { summed, set } of named) {
    set('a', { all: [1] });
    expect(await sums.get(summed, 0)).toMatchObject({ isWhole: false });
  }
  const broken: Summed = { ...named[0]!.summed, measure: async () => Promise.reject(new Error('unreadable')) };
  const summedOf = ({ name }: { name: string }) =>
    [broken, ...named.slice(1).map(({ summed }) => summed)].find((summed) => summed.name === name)!;
  await expect(sums.keepUp('broken ', summedOf, new AbortController().signal)).rejects.toThrow('unreadable');
  expect(named.slice(1).map(({ reads }) => reads)).toEqual([[['a']], [['a']]]);
});

it('large contributions are written in parts that fit into a record', async () => {
  const { summed, set, counted } = members('large');
  const field = 'x'.repeat(200_000);
  for (let at = 0; at < 120; at += 1) set(`m${at}`, { [field]: [1, at] });
  const sums = createKeptSums(connection);
  expect(await sums.get(summed, all)).toEqual({ figures: counted(), isWhole: true });
});

it('a process that stops leaves the rest of the measuring to the next round', async () => {
  const { summed, set, reads, counted } = members('stopped 1');
  const sums = createKeptSums(connection);
  for (let at = 0; at < 450; at += 1) set(`m${at}`, { all: [1, at] });
  expect(await sums.get(summed, 0)).toEqual({ figures: {}, isWhole: false });
  const stop = new AbortController();
  const stopping: Summed = {
    ...summed,
    measure: (ids) => {
      stop.abort();
      return summed.measure(ids);
    },
  };
  await sums.keepUp('stopped ', () => stopping, stop.signal);
  expect(reads.map(({ length }) => length)).toEqual([200]);
  await sums.keepUp('stopped ', () => summed, new AbortController().signal);
  expect(await sums.get(summed, 0)).toEqual({ figures: counted(), isWhole: true });
});

it('keeps up only with sums that somebody looked at in the last days', async () => {
  const { summed, set, reads } = members('left 1');
  const sums = createKeptSums(connection);
  set('m1', { all: [1] });
  await sums.get(summed, all);
  set('m1', { all: [2] });
  reads.length = 0;
  const { signal } = new AbortController();
  const before = daysAgo(8);
  await keptSumModel(connection).updateOne({ name: summed.name }, { kept_at: before, looked_at: before });
  await sums.keepUp('left ', () => summed, signal);
  expect(reads).toEqual([]);
  expect(await sums.get(summed, all)).toEqual({ figures: { all: [2] }, isWhole: true });
  set('m1', { all: [3] });
  await keptSumModel(connection).updateOne({ name: summed.name }, { kept_at: before });
  reads.length = 0;
  await sums.keepUp('left ', () => summed, signal);
  expect(reads).toEqual([['m1']]);
});

it('sums that nobody looked at for a month are removed with what they consist of, and a later look measures all anew', async () => {
  const { summed, set, counted } = members('removed 1');
  const other = members('other removed 1');
  const sums = createKeptSums(connection);
  for (let at = 0; at < 250; at += 1) set(`m${at}`, { all: [1, at] });
  other.set('m1', { all: [1] });
  await sums.get(summed, all);
  await sums.get(other.summed, all);
  const names = { name: { $in: [summed.name, other.summed.name] } };
  await keptSumModel(connection).updateMany(names, { looked_at: daysAgo(31) });
  const { signal } = new AbortController();
  await sums.keepUp('removed ', () => summed, signal);
  const left = async () => [
    ...(await keptSumModel(connection).distinct('name', names)),
    ...(await keptContributionModel(connection).distinct('name', names)),
  ];
  expect(await left()).toEqual([other.summed.name, other.summed.name]);

  set('m3', { all: [7, 7] });
  expect(await sums.get(summed, all)).toEqual({ figures: counted(), isWhole: true });
});

it('a look while sums are removed, or after a removal that was cut off, equals a count', async () => {
  const { summed, set, counted } = members('cut off 1');
  const sums = createKeptSums(connection);
  const { signal } = new AbortController();
  for (let at = 0; at < 450; at += 1) set(`m${at}`, { all: [1, at] });
  for (let round = 0; round < 6; round += 1) {
    await sums.get(summed, all);
    await keptSumModel(connection).updateOne({ name: summed.name }, { looked_at: daysAgo(31) });
    set(`m${round}`, { all: [3, round] });
    const isCutOff = round % 2 === 0;
    if (isCutOff) {
      const deletion = vi.spyOn(keptContributionModel(connection), 'deleteMany');
      deletion.mockImplementationOnce(() => {
        throw new Error('killed');
      });
    }
    const removal = sums.keepUp('cut off ', () => summed, signal).catch(() => undefined);
    if (isCutOff) await removal;
    expect(await sums.get(summed, all)).toEqual({ figures: counted(), isWhole: true });
    await removal;
    expect(await sums.get(summed, all)).toEqual({ figures: counted(), isWhole: true });
    expect(await sums.contributionOf(summed, [new Set(['m0', 'm449'])])).toEqual({ all: [4, 449] });
  }
});
