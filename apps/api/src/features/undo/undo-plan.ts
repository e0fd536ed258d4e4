import { DomainError } from '@docwright/contract';
import type { TurnWrite, TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WrittenKind } from '../../turn-writes/turn-write-model.ts';
import type { WrittenRecord } from '../../turn-writes/written-record-repository.ts';
import type { IsUndone, Restoration, UndoableRecords } from '../../turn-writes/undoable-records.ts';

/** The steps that undo a turn. */
export interface UndoPlan {
  /** The writes that are undone, newest first. */
  undone: { call_id: string; tool: string }[];
  /** One step for each record: back to its state before the first of these writes. */
  steps: UndoStep[];
}

interface UndoStep {
  kind: WrittenKind;
  id: string;
  name: string;
  changes: number;
  base: number;
  /** The turn's first call on the record: its note has the previous state. */
  firstCallId: string;
  /** The record as it was when the undo was planned. If the undo fails, the record is reverted to it. */
  record?: string;
}

export type UndoableRecordsOf = Readonly<Record<WrittenKind, (organizationId: string) => UndoableRecords>>;

export interface UndoContext {
  organizationId: string;
  userId: string;
  writes: Pick<TurnWriteRepository, 'ofTurns' | 'ofCall'>;
  recordsOf: UndoableRecordsOf;
}

/** A record with the turn's writes on it, newest first. */
interface WrittenGroup {
  thing: WrittenRecord;
  writes: TurnWrite[];
}

/**
 * Looks at everything that turns wrote before anything is taken back. Throws `changed_since` with what others have
 * changed since then, or what of theirs stands in the way.
 */
export async function planUndo(context: UndoContext, turnIds: readonly string[]): Promise<UndoPlan> {
  const blocked: Obstacle[] = [];
  const groups = new Map<string, WrittenGroup>();
  const undone: UndoPlan['undone'] = [];
  for (const write of await context.writes.ofTurns(turnIds)) {
    const things = context.recordsOf[write.kind](context.organizationId);
    const thing = await things.writtenBy(write.callId);
    if (thing === undefined) {
      const isGone = write.recordId !== undefined && !(await things.exists(write.recordId));
      if (isGone) blocked.push({ what: `the ${write.kind} that ${write.tool} changed is no longer there` });
      continue;
    }
    undone.push({ call_id: write.callId, tool: write.tool });
    const key = `${write.kind}:${thing.id}`;
    const group = groups.get(key) ?? { thing, writes: [] };
    group.writes.push(write);
    groups.set(key, group);
  }
  const steps = [...groups.values()].map(stepOf);
  for (const { thing, writes } of groups.values()) {
    if (isUntouched(thing, writes)) continue;
    blocked.push({ what: `the ${thing.name} has changed since`, kind: writes[0]?.kind, id: thing.id });
  }
  const isUndone: IsUndone = (kind, id) => groups.has(`${kind}:${id}`);
  for (const step of steps) {
    const things = context.recordsOf[step.kind](context.organizationId);
    const restoration = await restorationOf(context, step);
    const found = restoration ? await things.obstacles(restoration, isUndone) : [];
    blocked.push(...found.map((what) => ({ what })));
  }
  if (blocked.length > 0) throw changedSince(blocked);
  return { undone, steps: await Promise.all(steps.map((step) => withRecord(context, step))) };
}

async function withRecord({ organizationId, recordsOf }: UndoContext, step: UndoStep): Promise<UndoStep> {
  const record = await recordsOf[step.kind](organizationId).recordOf(step.id);
  return { ...step, ...(record !== undefined && { record }) };
}

/**
 * Carries a plan out, the whole of it or nothing: where somebody has changed a thing since the plan was made, what was
 * taken back until then is put back. Throws `changed_since` with what has changed.
 */
export async function carryOut(context: UndoContext, { steps }: UndoPlan): Promise<void> {
  const { organizationId, recordsOf } = context;
  for (const [at, step] of steps.entries()) {
    const restoration = await restorationOf(context, step);
    if (restoration === undefined || (await recordsOf[step.kind](organizationId).restore(restoration))) continue;
    const changed: Obstacle[] = [{ what: `the ${step.name} has changed just now`, kind: step.kind, id: step.id }];
    for (const done of steps.slice(0, at).toReversed()) {
      const { kind, id, name, base, record, firstCallId } = done;
      const callId = undoCallId(firstCallId);
      const isBack =
        record === undefined || (await recordsOf[kind](organizationId).revert({ id, record, base, callId }));
      if (!isBack) changed.push({ what: `the ${name} was changed right after it had been taken back`, kind, id });
    }
    throw changedSince(changed);
  }
}

/** The idempotency key of a step. */
function undoCallId(firstCallId: string): string {
  return `undo-${firstCallId}`;
}

/** The step as its thing carries it out; undefined where the note is gone, with the document that it was about. */
export async function restorationOf(
  { writes, userId }: Pick<UndoContext, 'writes' | 'userId'>,
  { id, changes, base, firstCallId }: UndoStep,
): Promise<Restoration | undefined> {
  const write = await writes.ofCall(firstCallId);
  const origin = { call_id: undoCallId(firstCallId) };
  return write && { id, before: write.before, changes, base, origin, userId };
}

/** Something that stands in the way of an undo, and the thing that it is about, where that is known. */
interface Obstacle {
  what: string;
  kind?: WrittenKind | undefined;
  id?: string | undefined;
}

/** What stood in the way of an undo that threw. */
export function blockedBy(error: DomainError): Obstacle[] {
  return obstaclesOf.get(error) ?? [{ what: error.message }];
}

const obstaclesOf = new WeakMap<DomainError, Obstacle[]>();

function changedSince(obstacles: Obstacle[]): DomainError {
  const changed = [...new Set(obstacles.map(({ what }) => what))];
  const message = `Nothing was undone: ${changed.join('; ')}.`;
  const error = new DomainError('conflict', 'changed_since', message, { changed });
  obstaclesOf.set(error, obstacles);
  return error;
}

function stepOf({ thing, writes }: WrittenGroup): UndoStep {
  const first = writes.at(-1);
  if (first === undefined) throw new Error('A thing without a write.');
  const { id, name, changes } = thing;
  return { kind: first.kind, id, name, changes, base: first.base, firstCallId: first.callId };
}

/** Whether each write found what the one before had left, and nobody has changed the thing after the last. */
function isUntouched(thing: WrittenRecord, writes: TurnWrite[]): boolean {
  const after = [thing.changes, ...writes.map(({ base }) => base)];
  return writes.every(({ base }, at) => base + 1 === after[at]);
}
