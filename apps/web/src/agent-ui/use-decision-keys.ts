import { useEffect, useEffectEvent } from 'react';

interface DecisionKeys {
  enabled: boolean;
  /** Ids of the cards that wait, in their order. */
  waiting: string[];
  onApprove: (callId: string) => void;
  onReject: (callId: string) => void;
  /** Left out where nothing can be edited. */
  onEdit?: (callId: string) => void;
}

const typing = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/** Y approves, N rejects and E edits the card in focus, else the first that waits; arrows go from card to card. Never while typing. */
export function useDecisionKeys({ enabled, waiting, onApprove, onReject, onEdit }: DecisionKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    const focused = target?.closest<HTMLElement>('[data-card]')?.dataset['card'];
    const callId = waiting.find((id) => id === focused) ?? waiting[0];
    if (callId === undefined) return;
    const key = event.key.toLowerCase();
    if (key === 'y') onApprove(callId);
    else if (key === 'n') onReject(callId);
    else if (key === 'e' && onEdit) onEdit(callId);
    else if (key === 'arrowdown' || key === 'arrowup') {
      // From elsewhere the arrows lead to the first; what can be scrolled keeps its own.
      if (focused === undefined && target !== document.body) return;
      const step = focused === undefined ? 0 : key === 'arrowdown' ? 1 : -1;
      const next = waiting[waiting.indexOf(callId) + step];
      if (next !== undefined) document.querySelector<HTMLElement>(`[data-card="${CSS.escape(next)}"]`)?.focus();
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!enabled) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [enabled]);
}
