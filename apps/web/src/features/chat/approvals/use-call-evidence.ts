import { useRef, useState } from 'react';

export interface ShownEvidence {
  /** Id of the current evaluation; undefined without one. */
  evaluationId: string | undefined;
  /** Whether the evaluation is out of date: an approval then ignores it. */
  isStale: boolean;
}

/** Tracks the evaluations shown with pending calls, for their decisions and button labels. */
export function useCallEvidence() {
  // A ref, not state: only decisions read it, not the rendering.
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
