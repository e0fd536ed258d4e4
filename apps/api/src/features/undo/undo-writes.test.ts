import { expect, it } from 'vitest';
import type { Restoration } from '../../turn-writes/undoable-records.ts';
import type { WrittenKind } from '../../turn-writes/turn-write-model.ts';
import type { TurnWrite } from '../../turn-writes/turn-write-repository.ts';
import { createUndoWrites } from './undo-writes.ts';

const write = (callId: string, kind: WrittenKind, over: Partial<TurnWrite> = {}): TurnWrite => ({
  callId,
  tool: 'tool',
  kind,
  recordId: undefined,
  before: null,
  base: 0,
  ...over,
});

/** Turns with their writes, newest first. A call writes the record with the same name without its number. */
async function undo(
  turns: Record<string, TurnWrite[]>,
  {
    changes = 1,
    obstacles = async () => [] as string[],
    restores = (): boolean => true,
    removed = [] as string[],
    forgotten = [] as string[],
  } = {},
) {
  const restored: Restoration[] = [];
  const asked: boolean[] = [];
  const records = {
    writtenBy: async (callId: string) =>
      removed.includes(callId) ? undefined : { id: callId.replace(/\d+$/u, ''), name: `the ${callId}`, changes },
    obstacles: async (_: Restoration, isUndone: (kind: WrittenKind, id: string) => boolean) => {
      asked.push(isUndone('schema', 'schema'), isUndone('tag', 'schema'));
      return await obstacles();
    },
    restore: async (restoration: Restoration) => {
      restored.push(restoration);
      return restores();
    },
  };
  const all = Object.values(turns).flat();
  const undoWrites = createUndoWrites(
    () => ({
      ofTurns: async ([turnId]) => turns[turnId!] ?? [],
      ofCall: async (callId) => (forgotten.includes(callId) ? undefined : all.find((each) => each.callId === callId)),
    }),
    new Proxy({}, { get: () => () => records }) as never,
  );
  await undoWrites({ organizationId: 'o', userId: 'u' }, Object.keys(turns));
  return { restored, asked, ids: restored.map(({ id }) => id) };
}

it('undoes the last turn first, and a record before the records that it uses', async () => {
  const kinds = ['tag', 'schema', 'prompt', 'split', 'document', 'extraction'] as const;
  const { ids } = await undo({ one: [write('early', 'extraction')], two: kinds.map((kind) => write(kind, kind)) });
  expect(ids).toEqual(['extraction', 'document', 'split', 'prompt', 'schema', 'tag', 'early']);
});

it('restores the state before the first of several writes', async () => {
  const writes = [
    write('schema2', 'schema', { before: 'second', base: 1 }),
    write('schema1', 'schema', { before: 'first', base: 0 }),
  ];
  const { restored, asked } = await undo({ turn: writes }, { changes: 2 });
  expect(restored).toEqual([
    { id: 'schema', before: 'first', changes: 2, base: 0, origin: { call_id: 'undo-schema1' }, userId: 'u' },
  ]);
  // The schema belongs to this undo, a tag with the same id does not.
  expect(asked).toEqual([true, false]);
});

it('leaves records alone that others have changed or use, and those without a note', async () => {
  const changed = { turn: [write('schema', 'schema', { before: 'first', base: 0 })] };
  expect((await undo(changed, { changes: 2 })).ids).toEqual([]);
  expect((await undo(changed, { changes: 1 })).ids).toEqual(['schema']);
  const made = { turn: [write('schema', 'schema')] };
  expect((await undo(made, { changes: 7 })).ids).toEqual(['schema']);
  expect((await undo(made, { obstacles: async () => ['a prompt uses it'] })).ids).toEqual([]);
  expect((await undo(made, { removed: ['schema'] })).ids).toEqual([]);
  expect((await undo(made, { forgotten: ['schema'] })).ids).toEqual([]);
});

it('tries up to five times if a record changes concurrently', async () => {
  const made = { turn: [write('schema', 'schema')] };
  let tries = 0;
  expect((await undo(made, { restores: () => ++tries === 3 })).ids).toHaveLength(3);
  expect((await undo(made, { restores: () => false })).ids).toHaveLength(5);
});
