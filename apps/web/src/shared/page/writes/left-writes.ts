import { useQueryClient, type Mutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { messageOf } from '../../http/api-error.ts';
import { useToast } from '../../ui/toasts.tsx';

let pending = 0;
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Until a write that no page waits for has ended, the browser asks before its window is closed or loaded again. */
export async function askBeforeClosing<Answer>(write: Promise<Answer>): Promise<Answer> {
  pending += 1;
  window.addEventListener('beforeunload', ask);
  try {
    return await write;
  } finally {
    pending -= 1;
    if (pending === 0) window.removeEventListener('beforeunload', ask);
  }
}

/** Shows the failure of a write as a passing message if the user has left its page, and otherwise on the page. */
export function useFailureMessage(): (message: string, showOnPage: (message: string) => void) => void {
  const toast = useToast();
  const hasGone = useRef(false);
  useEffect(() => {
    hasGone.current = false;
    return () => void (hasGone.current = true);
  }, []);
  return (message, showOnPage) => (hasGone.current ? toast(message, 'bad') : showOnPage(message));
}

/**
 * Says that a change has failed that nothing shows any more: the user has left its page or dialog, or made another one. A change with
 * `onError` shows its failure there, also then; what else follows a failure is in `onSettled`.
 */
export function useLeftFailures(): void {
  const cache = useQueryClient().getMutationCache();
  const toast = useToast();
  useEffect(() => {
    const shownIn = new WeakMap<Mutation, number>();
    return cache.subscribe((event) => {
      const { mutation } = event;
      if (mutation === undefined) return;
      const shown = shownIn.get(mutation) ?? 0;
      if (event.type === 'observerAdded') shownIn.set(mutation, shown + 1);
      if (event.type === 'observerRemoved') shownIn.set(mutation, shown - 1);
      if (event.type !== 'updated' || event.action.type !== 'error' || shown > 0) return;
      if (mutation.options.onError === undefined) toast(`A change has failed: ${messageOf(event.action.error)}`, 'bad');
    });
  }, [cache, toast]);
}
