import { isDatabaseUnavailable } from '../../../platform/database/connection.ts';
import type { UnrecordedWrite, UnrecordedWrites } from '../../../turn-writes/unrecorded-write-repository.ts';
import type { NotedKind } from '../../../turn-writes/turn-write-model.ts';
import type { AuditRecord, AuditRepository } from '../../audit/index.ts';

/** Whether a noted write was made, by what shows it for its kind. */
export type WasMade = Readonly<Record<NotedKind, (organizationId: string, note: UnrecordedWrite) => Promise<boolean>>>;

interface RecordLeftWritesDependencies {
  unrecorded: Pick<UnrecordedWrites, 'notedBefore' | 'settle'>;
  auditOf: (organizationId: string) => Pick<AuditRepository, 'record' | 'executed'>;
  wasMade: WasMade;
  log: { error(fields: object, message: string): void };
}

/** A process records its write at once: one that has not after this time may have ended. */
const dueAfterMs = 5_000;
/** A write that has not been made after this time is never made. */
const givenUpAfterMs = 600_000;

/**
 * Stores the entries of writes whose process ended between the write and its entry in the audit log. Whether the write was made, the
 * written record says, which names its calls; of some kinds it exists, or no longer does. Entries are stored once, so that a process that is only slow can record too.
 */
export function createRecordLeftWrites({ unrecorded, auditOf, wasMade, log }: RecordLeftWritesDependencies) {
  /** True if the log has the entry now. */
  async function record(organizationId: string, note: UnrecordedWrite, entry: AuditRecord): Promise<boolean> {
    if (!(await wasMade[note.kind](organizationId, note))) return false;
    await auditOf(organizationId).record([{ ...entry, at: note.unrecorded_since! }]);
    return true;
  }

  /** Those that have their entry. */
  async function recordAll(
    organizationId: string,
    notes: readonly UnrecordedWrite[],
    signal: AbortSignal | undefined,
  ): Promise<UnrecordedWrite[]> {
    const entries = new Map(notes.map((note) => [note, entryOf(note)]));
    const executed = await auditOf(organizationId).executed(
      [...entries.values()].flatMap((entry) => entry?.callId ?? []),
    );
    const settled: UnrecordedWrite[] = [];
    for (const [note, entry] of entries) {
      if (signal?.aborted === true) break;
      if (entry === undefined) continue;
      const isRecorded =
        executed.has(entry.callId) || (await unlessDamaged(note, () => record(organizationId, note, entry))) === true;
      if (isRecorded) settled.push(note);
    }
    return settled;
  }

  /** Undefined for a note that cannot be read, which stops no other. */
  async function unlessDamaged<Answer>(
    note: UnrecordedWrite,
    work: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, call_id: note.call_id }, 'a write was not recorded');
      return undefined;
    }
  }

  return async (signal?: AbortSignal, afterMs = dueAfterMs): Promise<void> => {
    const now = Date.now();
    const isEnded = (): boolean => signal?.aborted === true;
    for await (const batch of unrecorded.notedBefore(new Date(now - afterMs))) {
      for (const [organizationId, notes] of Map.groupBy(batch, (note) => String(note.organization_id))) {
        if (isEnded()) return;
        const recorded = (await unlessDamaged(notes[0]!, () => recordAll(organizationId, notes, signal))) ?? [];
        const old = notes.filter((note) => note.unrecorded_since!.getTime() < now - givenUpAfterMs);
        // If the job ends, some were not looked at: their writes may have been made.
        const givenUp = isEnded() ? [] : old;
        await unrecorded.settle([...new Set([...recorded, ...givenUp])]);
      }
    }
  };
}

/** Undefined if it is damaged. */
function entryOf({ audit_entry = '' }: UnrecordedWrite): AuditRecord | undefined {
  try {
    const entry = JSON.parse(audit_entry) as AuditRecord | null;
    return typeof entry?.callId === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}
