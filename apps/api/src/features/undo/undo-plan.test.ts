import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import type { IsUndone, Restoration } from '../../turn-writes/undoable-records.ts';
import type { TurnWrite } from '../../turn-writes/turn-write-repository.ts';
import { carryOut, obstaclesOf, planOrResume, planUndo, restorationOf, type UndoContext } from './undo-plan.ts';

interface FakeRecord {
  changes: number;
  /** The calls that wrote it. */
  calls: string[];
  obstacle?: string;
  refusesRestore?: boolean;
  refusesRevert?: boolean;
  /** Its content is not readable any more. */
  isUnreadable?: boolean;
}

const write = (callId: string, over: Partial<TurnWrite> = {}): TurnWrite => ({
  callId,
  tool: `tool of ${callId}`,
  kind: 'tag',
  recordId: undefined,
  before: null,
  base: 0,
  ...over,
});

/** Records of each kind, by id; notes every restoration and reversal. */
function fakeContext(writes: TurnWrite[], records: Record<string, FakeRecord>, forgotten: string[] = []) {
  const log: unknown[] = [];
  const asked: boolean[] = [];
  const undoable = {
    writtenBy: async (callId: string) => {
      const found = Object.entries(records).find(([, { calls }]) => calls.includes(callId));
      return found && { id: found[0], name: `tag “${found[0]}”`, changes: found[1].changes };
    },
    exists: async (id: string) => id in records,
    recordOf: async (id: string) => (records[id]?.isUnreadable ? undefined : `content of ${id}`),
    obstacles: async ({ id }: Restoration, isUndone: IsUndone) => {
      asked.push(isUndone('tag', id), isUndone('schema', id));
      return records[id]?.obstacle === undefined ? [] : [records[id].obstacle];
    },
    restore: async (restoration: Restoration) => {
      log.push(restoration);
      return !records[restoration.id]?.refusesRestore;
    },
    revert: async (reversal: { id: string }) => {
      log.push(reversal);
      return !records[reversal.id]?.refusesRevert;
    },
  };
  const context: UndoContext = {
    organizationId: 'o',
    userId: 'u',
    writes: {
      ofTurns: async () => writes,
      ofCall: async (callId) => (forgotten.includes(callId) ? undefined : writes.find((one) => one.callId === callId)),
    },
    recordsOf: new Proxy({}, { get: () => () => undoable }) as never,
  };
  return { context, log, asked };
}

const failureOf = async (failing: Promise<unknown>): Promise<DomainError> => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
};

it('plans one step for each record, back to the state before its first write', async () => {
  const writes = [write('a2', { base: 4 }), write('b1', { base: 7 }), write('a1', { base: 3 }), write('not written')];
  const { context, asked } = fakeContext(writes, {
    a: { changes: 5, calls: ['a1', 'a2'] },
    b: { changes: 8, calls: ['b1'], isUnreadable: true },
  });
  expect(await planUndo(context, ['turn'])).toEqual({
    undone: ['a2', 'b1', 'a1'].map((call_id) => ({ call_id, tool: `tool of ${call_id}` })),
    steps: [
      { kind: 'tag', id: 'a', name: 'tag “a”', changes: 5, base: 3, firstCallId: 'a1', record: 'content of a' },
      { kind: 'tag', id: 'b', name: 'tag “b”', changes: 8, base: 7, firstCallId: 'b1' },
    ],
  });
  // Only records of this undo count as undone.
  expect(asked).toEqual([true, false, true, false]);
});

it('names every obstacle, each message once', async () => {
  const writes = [
    write('changed', { base: 0 }),
    write('between2', { base: 3 }),
    write('between1', { base: 1 }),
    write('used', { base: 0 }),
    write('removed1', { tool: 'update_tag', recordId: 'removed' }),
    write('removed2', { tool: 'update_tag', recordId: 'removed' }),
    write('never written', { recordId: 'used' }),
  ];
  const { context } = fakeContext(writes, {
    changed: { changes: 2, calls: ['changed'] },
    between: { changes: 4, calls: ['between1', 'between2'] },
    used: { changes: 1, calls: ['used'], obstacle: 'a prompt uses it' },
  });
  const error = await failureOf(planUndo(context, ['turn']));
  const changed = [
    'the tag that update_tag changed was removed for good',
    'the tag “changed” has changed since',
    'the tag “between” has changed since',
    'a prompt uses it',
  ];
  expect(error).toMatchObject({ kind: 'conflict', code: 'changed_since', details: { changed } });
  expect(error.message).toBe(`Nothing was undone: ${changed.join('; ')}.`);
  expect(obstaclesOf(error)).toEqual([
    { what: changed[0] },
    { what: changed[0] },
    { what: changed[1], kind: 'tag', id: 'changed' },
    { what: changed[2], kind: 'tag', id: 'between' },
    { what: changed[3] },
  ]);
  expect(obstaclesOf(new DomainError('conflict', 'changed_since', 'Other.'))).toEqual([{ what: 'Other.' }]);
});

it('uses the stored plan of a concurrent attempt, if the records look changed', async () => {
  const stored = { undone: [], steps: [] };
  const changed = fakeContext([write('a')], { a: { changes: 9, calls: ['a'] } }).context;
  expect(await planOrResume({ get: async () => ({ plan: stored }) }, 'id', changed, ['t'])).toBe(stored);
  const without = await failureOf(planOrResume({ get: async () => undefined }, 'id', changed, ['t']));
  expect(without.code).toBe('changed_since');
  const unchanged = fakeContext([write('a')], { a: { changes: 1, calls: ['a'] } }).context;
  expect((await planOrResume({ get: async () => ({ plan: stored }) }, 'id', unchanged, ['t'])).steps).toHaveLength(1);
});

it('restores each record under a call id of its own, and skips content that was removed', async () => {
  const writes = [write('b', { before: { name: 'b' } }), write('a'), write('forgotten')];
  const records = Object.fromEntries(['a', 'b', 'forgotten'].map((id) => [id, { changes: 1, calls: [id] }]));
  const { context, log, asked } = fakeContext(writes, records, ['forgotten']);
  const plan = await planUndo(context, ['turn']);
  expect(asked).toHaveLength(4);
  await carryOut(context, plan);
  const restored = { changes: 1, base: 0, userId: 'u' };
  expect(log).toEqual([
    { ...restored, id: 'b', before: { name: 'b' }, origin: { call_id: 'undo-b' } },
    { ...restored, id: 'a', before: null, origin: { call_id: 'undo-a' } },
  ]);
  expect(await restorationOf(context, plan.steps[2]!)).toBeUndefined();
});

it('reverts the restored records, last one first, if a record has changed', async () => {
  const writes = ['a', 'b', 'c', 'd', 'e'].map((id) => write(id));
  const { context, log } = fakeContext(writes, {
    a: { changes: 1, calls: ['a'] },
    b: { changes: 1, calls: ['b'], refusesRevert: true },
    c: { changes: 1, calls: ['c'], isUnreadable: true },
    d: { changes: 1, calls: ['d'], refusesRestore: true },
    e: { changes: 1, calls: ['e'] },
  });
  const plan = await planUndo(context, ['turn']);
  const error = await failureOf(carryOut(context, plan));
  expect(log.slice(4)).toEqual([
    { id: 'b', record: 'content of b', base: 0, callId: 'undo-b' },
    { id: 'a', record: 'content of a', base: 0, callId: 'undo-a' },
  ]);
  expect(obstaclesOf(error)).toEqual([
    { what: 'the tag “d” has just changed', kind: 'tag', id: 'd' },
    { what: 'the tag “b” was changed right after its undo', kind: 'tag', id: 'b' },
  ]);
});
