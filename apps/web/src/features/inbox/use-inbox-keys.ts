import type { KeyHint } from '../../shared/ui/dialogs/page-keys.tsx';
import { useWindowKey } from '../../shared/ui/browser/use-window-key.ts';

export const inboxKeys: readonly KeyHint[] = [
  ['j', 'Next decision'],
  ['k', 'Previous decision'],
  ['y', 'Approve'],
  ['n', 'Reject, with a reason'],
  ['e', 'Edit the arguments'],
];

type InboxKey = 'j' | 'k' | 'y' | 'n' | 'e';

const typing =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="textbox"], [role="menu"], [role="dialog"]';

/** Runs the action of a key; not while the user types, and only once for a key that is held down. */
export function useInboxKeys(actions: Partial<Record<InboxKey, () => void>>): void {
  useWindowKey((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    const key = event.key.toLowerCase();
    const action = actions[key as InboxKey];
    if (!action || (event.repeat && key !== 'j' && key !== 'k')) return;
    event.preventDefault();
    action();
  });
}
