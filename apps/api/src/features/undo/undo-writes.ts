import { restorationOf, type UndoableRecordsOf, type UndoContext } from './undo-plan.ts';
import type { TurnWrite, TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WrittenKind } from '../../turn-writes/turn-write-model.ts';

/**
 * Takes back what turns wrote and nobody decided on: what they made is removed, changed since or not, unless something
 * else uses it; what they changed is put back where it is as they left it. Done again, it changes nothing.
 */
export type UndoWrites = (who: { organizationId: string; userId: string }, turnIds: readonly string[]) => Promise<void>;

const maxTries = 5;

interface Taken {
  kind: WrittenKind;
  id: string;
  /** The turn's writes on it, the newest first. */
  writes: TurnWrite[];
}

export function createUndoWrites(
  writesOf: (organizationId: string) => Pick<TurnWriteRepository, 'ofTurns' | 'ofCall'>,
  recordsOf: UndoableRecordsOf,
): UndoWrites {
  return async ({ organizationId, userId }, turnIds) => {
    const writes = writesOf(organizationId);
    const context: UndoContext = { organizationId, userId, writes, recordsOf };
    for (const turnId of turnIds.toReversed()) {
      const written = await writtenIn(context, turnId);
      const ids = new Set(written.map(({ kind, id }) => `${kind}:${id}`));
      for (const taken of written) await takeOne(context, taken, (kind, id) => ids.has(`${kind}:${id}`));
    }
  };
}

/** What the turn wrote, by thing: what uses another goes before it. */
async function writtenIn({ organizationId, writes, recordsOf }: UndoContext, turnId: string): Promise<Taken[]> {
  const taken = new Map<string, Taken>();
  for (const write of await writes.ofTurns([turnId])) {
    const thing = await recordsOf[write.kind](organizationId).writtenBy(write.callId);
    if (thing === undefined) continue;
    const key = `${write.kind}:${thing.id}`;
    const known = taken.get(key) ?? { kind: write.kind, id: thing.id, writes: [] };
    known.writes.push(write);
    taken.set(key, known);
  }
  return [...taken.values()].toSorted((one, other) => order(other) - order(one));
}

/** Extractions go before prompts, prompts before schemas, and those before tags. */
const dependence: Record<WrittenKind, number> = { extraction: 5, document: 4, split: 3, prompt: 2, schema: 1, tag: 0 };

function order({ kind }: Taken): number {
  return dependence[kind];
}

async function takeOne(
  context: UndoContext,
  { kind, writes }: Taken,
  isUndone: (kind: WrittenKind, id: string) => boolean,
): Promise<void> {
  const things = context.recordsOf[kind](context.organizationId);
  const [last, first] = [writes[0], writes.at(-1)];
  if (!last || !first) return;
  const wasThere = first.before !== null;
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const thing = await things.writtenBy(first.callId);
    if (thing === undefined) return;
    // Somebody has changed it since, or it was taken back before: theirs stays.
    if (wasThere && thing.changes !== last.base + 1) return;
    const step = { kind, id: thing.id, name: thing.name, changes: thing.changes, base: first.base };
    const restoration = await restorationOf(context, { ...step, firstCallId: first.callId });
    if (restoration === undefined) return;
    if ((await things.obstacles(restoration, isUndone)).length > 0) return;
    if (await things.restore(restoration)) return;
  }
}
