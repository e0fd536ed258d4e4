import type { IsUndone, KeptResults } from '../../turn-writes/undoable-records.ts';
import { restorationOf, type UndoableRecordsOf, type UndoContext } from './undo-plan.ts';
import type { TurnWrite, TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WrittenKind } from '../../turn-writes/turn-write-model.ts';

/**
 * Undoes the writes of interrupted turns as far as possible. Created records are removed, even if they were changed
 * since, unless others use them. A created result that a user has verified or edited stays, unless `keeps` says
 * otherwise. Changed records are restored if they were not changed since. Idempotent.
 */
export type UndoWrites = (
  caller: { organizationId: string; userId: string },
  turnIds: readonly string[],
  options?: { keeps?: KeptResults },
) => Promise<void>;

const maxAttempts = 5;

interface WrittenGroup {
  kind: WrittenKind;
  id: string;
  /** The turn's writes on the record, newest first. */
  writes: TurnWrite[];
}

export function createUndoWrites(
  writesOf: (organizationId: string) => Pick<TurnWriteRepository, 'ofTurns' | 'ofCall'>,
  recordsOf: UndoableRecordsOf,
): UndoWrites {
  return async ({ organizationId, userId }, turnIds, { keeps = 'reviewed' } = {}) => {
    const writes = writesOf(organizationId);
    const context: UndoContext = { organizationId, userId, writes, recordsOf };
    for (const turnId of turnIds.toReversed()) {
      const groups = await groupsOf(context, turnId);
      const keys = new Set(groups.map(({ kind, id }) => `${kind}:${id}`));
      const isUndone: IsUndone = (kind, id) => keys.has(`${kind}:${id}`);
      for (const group of groups) await undoGroup(context, group, { isUndone, keeps });
    }
  };
}

/** The records that the turn wrote; a record is undone before the records that it uses. */
async function groupsOf({ organizationId, writes, recordsOf }: UndoContext, turnId: string): Promise<WrittenGroup[]> {
  const groups = new Map<string, WrittenGroup>();
  for (const write of await writes.ofTurns([turnId])) {
    const record = await recordsOf[write.kind](organizationId).writtenBy(write.callId);
    if (record === undefined) continue;
    const key = `${write.kind}:${record.id}`;
    const group = groups.get(key) ?? { kind: write.kind, id: record.id, writes: [] };
    group.writes.push(write);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((one, other) => undoOrder.indexOf(one.kind) - undoOrder.indexOf(other.kind));
}

/** Extractions use prompts, prompts use schemas, and all but schemas can have tags. */
const undoOrder: readonly WrittenKind[] = ['extraction', 'document', 'split', 'prompt', 'schema', 'tag', 'task'];

async function undoGroup(
  context: UndoContext,
  { kind, writes }: WrittenGroup,
  { isUndone, keeps }: { isUndone: IsUndone; keeps: KeptResults },
): Promise<void> {
  const records = context.recordsOf[kind](context.organizationId);
  const [last, first] = [writes[0]!, writes.at(-1)!];
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const record = await records.writtenBy(first.callId);
    if (record === undefined) return;
    // A changed record stays as others left it; so does one that is undone already.
    if (first.before !== null && record.changes !== last.base + 1) return;
    const restoration = await restorationOf(context, { ...record, base: first.base, firstCallId: first.callId });
    if (restoration === undefined) return;
    if ((await records.obstacles({ ...restoration, keeps }, isUndone)).length > 0) return;
    if (await records.restore(restoration)) return await records.finish?.();
  }
}
