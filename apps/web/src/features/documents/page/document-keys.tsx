import { PageKeys, type KeyHint } from '../../../shared/ui/dialogs/page-keys.tsx';
import { usePageActions } from '../../../shared/page/find/page-actions.ts';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';
import { useGoBy } from './use-go-by.ts';

const typing = 'input, textarea, select, [contenteditable]';

const keys: KeyHint[] = [
  ['Y', 'Approve the pending call'],
  ['N', 'Reject with a reason'],
  ['E', 'Edit its arguments'],
  ['↑ ↓', 'Next or previous step'],
  ['Enter', 'Send the message'],
  ['Shift Enter', 'A new line in it'],
  ['@', 'Mention a schema, a prompt or a tag'],
  ['Esc', 'Stop the agent'],
  ['F2', 'Edit the value; Enter saves, Esc cancels'],
  ['Ctrl S', 'Save the form'],
  ['Ctrl F', 'Search in the document; once more for the browser’s own search'],
  ['Ctrl + − 0', 'Zoom the page, while it has the focus; Ctrl and the wheel do it anywhere over it'],
  ['Ctrl ← →', 'Previous and next document'],
  ['Alt ↑ ↓', 'Previous and next hit of a collection search'],
];

/** The keys of the document page; none acts while the user types. */
export function DocumentKeys({ documentId }: { documentId: string }) {
  const goBy = useGoBy(documentId);
  usePageActions([
    { name: 'Next document', run: () => void goBy(1) },
    { name: 'Previous document', run: () => void goBy(-1) },
  ]);
  useWindowKey((event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.defaultPrevented || target?.closest(typing) || document.querySelector('[role="dialog"]')) return;
    const arrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (!arrow || !event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void goBy(event.key === 'ArrowLeft' ? -1 : 1);
  });

  return <PageKeys keys={keys} />;
}
