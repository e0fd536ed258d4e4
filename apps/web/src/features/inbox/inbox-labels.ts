import type { Approval, ApprovalOutcome } from '@docwright/contract';
import { counted } from '../../shared/formats/counted.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The time until a pending call expires.
 *
 * @example timeLeft('2026-11-20T17:00:00Z', Date.parse('2026-11-20T12:00:00Z')) // { words: '5 h left', isSoon: true }
 */
export function timeLeft(expiresAt: string, now = Date.now()): { words: string; isSoon: boolean } {
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return { words: 'expired', isSoon: true };
  if (left < hour) return { words: `${Math.max(1, Math.floor(left / minute))} min left`, isSoon: true };
  if (left < day) return { words: `${Math.floor(left / hour)} h left`, isSoon: true };
  return { words: `${Math.floor(left / day)} d left`, isSoon: false };
}

/** The origin of a group and its document or documents, in one line. */
export function originLabel({ run_id, document_name, group_size = 1 }: Approval, isOwn: boolean): string {
  const origin = run_id !== undefined ? 'Run' : isOwn ? 'Your chat' : 'Chat';
  const about = group_size > 1 ? `${group_size} documents` : (document_name ?? 'a deleted document');
  return `${origin} · ${about}`;
}

/** A warning for the list: the call deletes something or discards a user's work. */
export function warningLabel({ preview }: Approval): string | undefined {
  if (preview?.kind === 'delete') return 'deletes';
  if (preview?.kind !== 'replace') return undefined;
  const { edited_count: edits } = preview;
  return edits === 0 ? 'verified' : `loses ${counted(edits, 'edit')}`;
}

const undecidedLabels: Partial<Record<ApprovalOutcome['status'], string>> = {
  conflict: 'changed meanwhile',
  expired: 'expired',
  forbidden: 'beyond your rights',
  not_found: 'no longer waiting',
  invalid: 'not valid',
};

/**
 * The result of a decision in one line.
 *
 * @example outcomeLabel([{ …, status: 'decided' }, { …, status: 'conflict' }], true) // 'Approved 1. 1 changed meanwhile.'
 */
export function outcomeLabel(outcomes: readonly ApprovalOutcome[], approved: boolean): string {
  const decided = outcomes.filter(({ status }) => status === 'decided').length;
  const others = Object.entries(undecidedLabels).flatMap(([status, words]) => {
    const count = outcomes.filter((outcome) => outcome.status === status).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  const first = decided > 0 ? `${approved ? 'Approved' : 'Rejected'} ${decided}.` : 'Nothing was decided.';
  return others.length > 0 ? `${first} ${others.join(', ')}.` : first;
}

/** The numbers of pending decisions and changes, for the page header. */
export function waitingLabel(groups: number, calls: number): string {
  if (groups === 0) return '';
  const decisions = counted(groups, 'decision');
  if (calls === groups) return `${decisions} ${groups === 1 ? 'waits' : 'wait'} for you`;
  return `${decisions}, ${calls} changes wait for you`;
}
