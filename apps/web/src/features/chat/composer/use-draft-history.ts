import { useRef } from 'react';

interface DraftHistory {
  /** Before a change: what stood there. */
  note: (before: string) => void;
  undo: (present: string) => string | undefined;
  redo: (present: string) => string | undefined;
  clear: () => void;
}

/** Typing without a rest is one step. */
const rest = 600;
const maxSteps = 200;

/** Steps back and forth in a draft: a field whose value the page sets has lost the browser's own. */
export function useDraftHistory(): DraftHistory {
  const steps = useRef<{ past: string[]; future: string[]; at: number }>({ past: [], future: [], at: 0 });
  return {
    note(before) {
      const now = Date.now();
      const { past, at } = steps.current;
      const begins = past.length === 0 || now - at > rest;
      steps.current = { past: begins ? [...past, before].slice(-maxSteps) : past, future: [], at: now };
    },
    undo(present) {
      const { past, future } = steps.current;
      if (past.length === 0) return undefined;
      steps.current = { past: past.slice(0, -1), future: [...future, present], at: 0 };
      return past.at(-1);
    },
    redo(present) {
      const { past, future } = steps.current;
      if (future.length === 0) return undefined;
      steps.current = { past: [...past, present], future: future.slice(0, -1), at: 0 };
      return future.at(-1);
    },
    clear() {
      steps.current = { past: [], future: [], at: 0 };
    },
  };
}
