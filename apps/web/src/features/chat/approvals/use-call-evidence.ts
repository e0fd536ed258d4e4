import { useRef, useState } from 'react';

export interface ShownEvidence {
  /** The evaluation that an approval can stand on; undefined where nothing that holds was measured. */
  evaluationId: string | undefined;
  /** What was measured no longer holds, and an approval goes without it. */
  isStale: boolean;
}

/** The measured effects that were shown with waiting calls: what a decision stands on, and what a button says of it. */
export function useCallEvidence() {
  // A decision reads it when it is made; no card looks different for it.
  const evaluations = useRef(new Map<string, string>());
  const [stale, setStale] = useState<ReadonlySet<string>>(new Set());
  return {
    evaluationOf: (callId: string): string | undefined => evaluations.current.get(callId),
    isStale: (callId: string): boolean => stale.has(callId),
    show(callId: string, { evaluationId, isStale }: ShownEvidence): void {
      if (evaluationId === undefined) evaluations.current.delete(callId);
      else evaluations.current.set(callId, evaluationId);
      if (stale.has(callId) === isStale) return;
      setStale((before) => new Set(isStale ? [...before, callId] : [...before].filter((id) => id !== callId)));
    },
  };
}
