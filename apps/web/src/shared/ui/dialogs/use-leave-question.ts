import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * Asks before the user leaves the page. By the Back button the address is that of the next page while the question is open: if the place of
 * the question is gone, or the app goes on to another page, the question ends with “Stay”, which sets the address right.
 */
export function useLeaveQuestion(asks: ShouldBlockFn, asksBeforeClosing: () => boolean) {
  const latest = useRef<{ stay: (() => void) | undefined; isInHistory: boolean }>(undefined);
  const blocker = useBlocker({
    shouldBlockFn: async (step) => {
      if (await asks(step)) return true;
      const restored = latest.current?.isInHistory ? nextPop() : undefined;
      latest.current?.stay?.();
      await restored;
      return false;
    },
    enableBeforeUnload: asksBeforeClosing,
    withResolver: true,
  });
  const { reset, action } = blocker;
  useEffect(() => {
    latest.current = { stay: reset, isInHistory: action !== undefined && action !== 'PUSH' && action !== 'REPLACE' };
  }, [reset, action]);
  useEffect(() => () => latest.current?.stay?.(), []);
  return blocker;
}

/** The browser's answer is not certain: the user can go on meanwhile. */
const maxWait = 500;

async function nextPop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  window.addEventListener('popstate', resolve, { once: true });
  const timer = setTimeout(resolve, maxWait);
  await promise;
  clearTimeout(timer);
  window.removeEventListener('popstate', resolve);
}
