import { DomainError } from '@docwright/contract';
import type { TurnWrite, TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { WrittenKind } from '../../turn-writes/turn-write-model.ts';
import type { WrittenRecord } from '../../turn-writes/written-record-repository.ts';
import type { IsUndone, Restoration, UndoableRecords } from '../../turn-writes/undoable-records.ts';

/** The steps that undo turns. */
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

/** A record with its writes, newest first. */
interface WrittenGroup {
  record: WrittenRecord;
  writes: TurnWrite[];
}

/**
 * Plans the undo of everything that turns wrote; changes nothing. Throws `changed_since` with each record that others
 * changed since, and each other record that depends on these writes.
 */
export async function planUndo(context: UndoContext, turnIds: readonly string[]): Promise<UndoPlan> {
  const blocked: Obstacle[] = [];
  const groups = new Map<string, WrittenGroup>();
  const undone: UndoPlan['undone'] = [];
  for (const write of await context.writes.ofTurns(turnIds)) {
    const records = context.recordsOf[write.kind](context.organizationId);
    const record = await records.writtenBy(write.callId);
    if (record === undefined) {
      const isRemoved = write.recordId !== undefined && !(await records.exists(write.recordId));
      if (isRemoved) blocked.push({ what: `the ${write.kind} that ${write.tool} changed was removed for good` });
      continue;
    }
    undone.push({ call_id: write.callId, tool: write.tool });
    const key = `${write.kind}:${record.id}`;
    const group = groups.get(key) ?? { record, writes: [] };
    group.writes.push(write);
    groups.set(key, group);
  }
  const steps = [...groups.values()].map(stepOf);
  for (const { record, writes } of groups.values()) {
    if (isUnchanged(record, writes)) continue;
    blocked.push({ what: `the ${record.name} has changed since`, kind: writes[0]?.kind, id: record.id });
  }
  const isUndone: IsUndone = (kind, id) => groups.has(`${kind}:${id}`);
  for (const step of steps) {
    const restoration = await restorationOf(context, step);
    if (restoration === undefined) continue;
    const obstacles = await context.recordsOf[step.kind](context.organizationId).obstacles(restoration, isUndone);
    blocked.push(...obstacles.map((what) => ({ what })));
  }
  if (blocked.length > 0) throw changedSince(blocked);
  return { undone, steps: await Promise.all(steps.map((step) => withRecord(context, step))) };
}

async function withRecord({ organizationId, recordsOf }: UndoContext, step: UndoStep): Promise<UndoStep> {
  const record = await recordsOf[step.kind](organizationId).recordOf(step.id);
  return { ...step, ...(record !== undefined && { record }) };
}

/**
 * The stored plan of an undo, or a new one. A concurrent attempt might have restored records already: they look changed
 * then, and its stored plan counts. Throws `changed_since`.
 */
export async function planOrResume(
  undos: { get(undoId: string): Promise<{ plan: UndoPlan } | undefined> },
  undoId: string,
  context: UndoContext,
  turnIds: readonly string[],
): Promise<UndoPlan> {
  try {
    return await planUndo(context, turnIds);
  } catch (error) {
    const stored = await undos.get(undoId);
    if (stored) return stored.plan;
    throw error;
  }
}

/**
 * Carries a plan out, all of it or nothing: if a record was changed since the plan was made, the restored records are
 * reverted. Throws `changed_since` with the changed records.
 */
export async function carryOut(context: UndoContext, { steps }: UndoPlan): Promise<void> {
  const { organizationId, recordsOf } = context;
  for (const [at, step] of steps.entries()) {
    const restoration = await restorationOf(context, step);
    if (restoration === undefined || (await recordsOf[step.kind](organizationId).restore(restoration))) continue;
    const changed: Obstacle[] = [{ what: `the ${step.name} has just changed`, kind: step.kind, id: step.id }];
    for (const done of steps.slice(0, at).toReversed()) {
      const { kind, id, name, base, record, firstCallId } = done;
      const callId = undoCallId(firstCallId);
      const isReverted =
        record === undefined || (await recordsOf[kind](organizationId).revert({ id, record, base, callId }));
      if (!isReverted) changed.push({ what: `the ${name} was changed right after its undo`, kind, id });
    }
    throw changedSince(changed);
  }
  for (const kind of new Set(steps.map((step) => step.kind))) await recordsOf[kind](organizationId).finish?.();
}

/** The idempotency key of a step. */
function undoCallId(firstCallId: string): string {
  return `undo-${firstCallId}`;
}

/** The restoration of a step; undefined if the noted state was removed with its document. */
export async function restorationOf(
  { writes, userId }: Pick<UndoContext, 'writes' | 'userId'>,
  { id, changes, base, firstCallId }: Pick<UndoStep, 'id' | 'changes' | 'base' | 'firstCallId'>,
): Promise<Restoration | undefined> {
  const write = await writes.ofCall(firstCallId);
  const origin = { call_id: undoCallId(firstCallId) };
  return write && { id, before: write.before, changes, base, origin, userId };
}

/** A message that says why an undo is not possible, with the record that it is about, if known. */
interface Obstacle {
  what: string;
  kind?: WrittenKind | undefined;
  id?: string | undefined;
}

/** The obstacles of an undo that threw. */
export function obstaclesOf(error: DomainError): Obstacle[] {
  return obstaclesByError.get(error) ?? [{ what: error.message }];
}

const obstaclesByError = new WeakMap<DomainError, Obstacle[]>();

function changedSince(obstacles: Obstacle[]): DomainError {
  const changed = [...new Set(obstacles.map(({ what }) => what))];
  const message = `Nothing was undone: ${changed.join('; ')}.`;
  const error = new DomainError('conflict', 'changed_since', message, { changed });
  obstaclesByError.set(error, obstacles);
  return error;
}

function stepOf({ record: { id, name, changes }, writes }: WrittenGroup): UndoStep {
  const first = writes.at(-1)!;
  return { kind: first.kind, id, name, changes, base: first.base, firstCallId: first.callId };
}

/** Whether no other writer changed the record between the writes or after the last one. */
function isUnchanged(record: WrittenRecord, writes: TurnWrite[]): boolean {
  const after = [record.changes, ...writes.map(({ base }) => base)];
  return writes.every(({ base }, at) => base + 1 === after[at]);
}
