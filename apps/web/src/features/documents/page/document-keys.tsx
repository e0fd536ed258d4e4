import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { messageOf } from '../../../shared/http/api-error.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { PageKeys, type KeyHint } from '../../../shared/ui/dialogs/page-keys.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';

const route = getRouteApi('/documents/$documentId');

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
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const toast = useToast();

  const goBy = async (step: number) => {
    try {
      const { findNeighbour } = await import('./neighbour.ts');
      const next = await findNeighbour(queryClient, orgId, documentId, step);
      if (next === undefined) {
        toast(step > 0 ? 'This is the last document of the list.' : 'This is the first document of the list.');
        return;
      }
      await navigate({
        to: '/documents/$documentId',
        params: { documentId: next },
        search: tab === undefined ? {} : { tab },
      });
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  };
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
