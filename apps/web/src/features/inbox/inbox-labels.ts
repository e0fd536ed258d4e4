import type { Approval, ApprovalOutcome } from '@docwright/contract';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How long a call still waits.
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

/** What a group is about and where it comes from, in one line. */
export function originLabel({ run_id, document_name, group_size = 1 }: Approval, isOwn: boolean): string {
  const origin = run_id !== undefined ? 'Run' : isOwn ? 'Your chat' : 'Chat';
  const about = group_size > 1 ? `${group_size} documents` : (document_name ?? 'a deleted document');
  return `${origin} · ${about}`;
}

/** What a list should say before anybody opens the decision: that something goes, or a person's work. */
export function warningLabel({ preview }: Approval): string | undefined {
  if (preview?.kind === 'delete') return 'deletes';
  if (preview?.kind !== 'replace') return undefined;
  const { edited_count: edits } = preview;
  return edits === 0 ? 'verified' : `loses ${edits} ${edits === 1 ? 'edit' : 'edits'}`;
}

const stillWaits: Partial<Record<ApprovalOutcome['status'], string>> = {
  conflict: 'changed meanwhile',
  expired: 'expired',
  forbidden: 'beyond your rights',
  not_found: 'no longer waiting',
  invalid: 'not valid',
};

/**
 * What came of a decision, in one sentence.
 *
 * @example outcomeLabel([{ …, status: 'decided' }, { …, status: 'conflict' }], true) // 'Approved 1. 1 changed meanwhile.'
 */
export function outcomeLabel(outcomes: readonly ApprovalOutcome[], approved: boolean): string {
  const decided = outcomes.filter(({ status }) => status === 'decided').length;
  const others = Object.entries(stillWaits).flatMap(([status, words]) => {
    const count = outcomes.filter((outcome) => outcome.status === status).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  const first = decided > 0 ? `${approved ? 'Approved' : 'Rejected'} ${decided}.` : 'Nothing was decided.';
  return others.length > 0 ? `${first} ${others.join(', ')}.` : first;
}

/** Decisions and changes that wait, for the head of the page. */
export function waitingLabel(groups: number, calls: number): string {
  if (groups === 0) return '';
  const decisions = `${groups} ${groups === 1 ? 'decision' : 'decisions'}`;
  if (calls === groups) return `${decisions} ${groups === 1 ? 'waits' : 'wait'} for you`;
  return `${decisions}, ${calls} changes wait for you`;
}
