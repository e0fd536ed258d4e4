import type { AuditEntry } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { recordedTurn } from '../testing/recorded-turn.ts';
import { threadToState } from './thread-to-state.ts';
import { changesOf, turnEndingAt, turnInAudit } from './turns.ts';

describe('a finished turn', () => {
  const { entries } = threadToState(recordedTurn.segments.at(-1)!.thread);

  it('ends with its last answer, and lists its successful writes', () => {
    const ends = entries.flatMap((_entry, index) => (turnEndingAt(entries, index) ? [index] : []));
    expect(ends).toEqual([entries.length - 1]);
    const changes = changesOf(turnEndingAt(entries, entries.length - 1)!);
    expect(changes.map(({ name }) => name)).toEqual(['create_tag']);
  });

  it('is found in the audit log by any of its calls, with its undo', () => {
    const entry = (kind: AuditEntry['kind'], turn_id: string, call_id: string) =>
      ({ kind, turn_id, call_id }) as AuditEntry;
    const audit = [entry('undone', 't1', 'c1'), entry('executed', 't2', 'c2'), entry('executed', 't1', 'c1')];
    expect(turnInAudit(audit, 'c1')).toEqual({ turnId: 't1', undone: true });
    expect(turnInAudit(audit, 'c2')).toEqual({ turnId: 't2', undone: false });
    expect(turnInAudit(audit, 'other')).toBeUndefined();
  });
});
