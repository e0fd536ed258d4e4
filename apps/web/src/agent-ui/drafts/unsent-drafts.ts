import type { PlanStepDecision } from '@docwright/contract';

/** What a user has entered about a pending call and not sent. */
export interface UnsentDraft {
  /** Edited arguments, as JSON text. */
  arguments?: string | undefined;
  /** Why the call is rejected. */
  reason?: string | undefined;
  /** Answers to questions: option ids and texts by the id of the question. */
  answers?: { picked: Record<string, string[]>; others: Record<string, string> } | undefined;
  /** Decisions about steps of a plan. */
  steps?: readonly PlanStepDecision[] | undefined;
}

/** By call, in the memory of the window. */
const drafts = new Map<string, UnsentDraft>();
const beingSent = new Set<string>();

/** Keeps parts of a draft, so that they outlive their form: another window can decide the call while they are entered. */
export function keepUnsent(callId: string, parts: UnsentDraft): void {
  drafts.set(callId, { ...drafts.get(callId), ...parts });
}

export function forgetUnsent(callId: string): void {
  drafts.delete(callId);
}

/** Drafts that a request carries. It calls one of the returned functions at its end. */
export function sendDrafts(callIds: readonly string[]): { onAccepted: () => void; onRefused: () => void } {
  for (const id of callIds) beingSent.add(id);
  const onRefused = () => {
    for (const id of callIds) beingSent.delete(id);
  };
  return {
    onRefused,
    onAccepted() {
      onRefused();
      for (const id of callIds) drafts.delete(id);
    },
  };
}

/** The draft of a call, unless a request carries it. */
export function unsentOf(callId: string): UnsentDraft | undefined {
  const draft = beingSent.has(callId) ? undefined : drafts.get(callId);
  return draft && Object.values(draft).some(hasContent) ? draft : undefined;
}

function hasContent(part: UnsentDraft[keyof UnsentDraft]): boolean {
  if (part === undefined || typeof part === 'string') return (part ?? '').trim() !== '';
  if (!('picked' in part)) return part.length > 0;
  const entered = [...Object.values(part.picked), ...Object.values(part.others)];
  return entered.some(({ length }) => length > 0);
}
