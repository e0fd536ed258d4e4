import { useEffect, useEffectEvent } from 'react';

/** Calls `onKey` for each key that is pressed anywhere in the window, while `enabled`. */
export function useWindowKey(onKey: (event: KeyboardEvent) => void, enabled = true): void {
  const handleKey = useEffectEvent(onKey);
  useEffect(() => {
    if (!enabled) return;
    const listener = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [enabled]);
}
