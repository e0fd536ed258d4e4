import { useWindowKey } from '../shared/ui/browser/use-window-key.ts';

interface DecisionKeys {
  enabled: boolean;
  /** Ids of the pending cards, in order. */
  pending: string[];
  onApprove: (callId: string) => void;
  onReject: (callId: string) => void;
  /** Omitted if nothing can be edited. */
  onEdit?: (callId: string) => void;
}

const typing = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/**
 * Whether a key press can be a shortcut of a card: not while typing, and not with an open menu or dialog. A key that is held
 * down decides once: the next card was not read.
 */
export function isCardShortcut(event: KeyboardEvent): boolean {
  if (event.repeat && !event.key.startsWith('Arrow')) return false;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (event.target instanceof Element && event.target.closest(typing)) return false;
  return document.querySelector('[role="dialog"], [role="menu"]') === null;
}

/** The card of a call. */
export const findCard = (callId: string) => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(callId)}"]`);

/** Focuses a pending card, so that its keys work at once, unless the user is writing. */
export function focusCard(callId: string) {
  const active = document.activeElement;
  const isIdle =
    active === document.body ||
    active?.matches('[data-card]') === true ||
    (active instanceof HTMLTextAreaElement && active.value === '');
  if (isIdle) findCard(callId)?.focus({ preventScroll: true });
}

/** The id of the card that has the focus. */
export function focusedCard({ target }: KeyboardEvent): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-card]')?.dataset['card'] : undefined;
}

/** Y approves, N rejects and E edits the focused or else the first pending card; arrows move between cards. Off while typing. */
export function useDecisionKeys({ enabled, pending, onApprove, onReject, onEdit }: DecisionKeys): void {
  useWindowKey((event) => {
    if (!isCardShortcut(event)) return;
    const focused = focusedCard(event);
    const callId = pending.find((id) => id === focused) ?? pending[0];
    if (callId === undefined) return;
    const key = event.key.toLowerCase();
    if (key === 'y') onApprove(callId);
    else if (key === 'n') onReject(callId);
    else if (key === 'e' && onEdit) onEdit(callId);
    else if (key === 'arrowdown' || key === 'arrowup') {
      // From the page itself, arrows lead to the first card; a focused scroller keeps its arrow keys.
      if (focused === undefined && event.target !== document.body) return;
      const step = focused === undefined ? 0 : key === 'arrowdown' ? 1 : -1;
      const next = pending[pending.indexOf(callId) + step];
      if (next !== undefined) findCard(next)?.focus();
    } else return;
    event.preventDefault();
  }, enabled);
}
