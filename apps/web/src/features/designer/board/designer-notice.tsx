import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { DesignerNotice } from '../state/designer-state.ts';

/** Why the agent stands still, and the way on. */
export function DesignerNoticeBox({ notice, onAgain }: { notice: DesignerNotice; onAgain: () => void }) {
  const again = (words: string) => (
    <Button size="small" onClick={onAgain}>
      {words}
    </Button>
  );
  switch (notice.kind) {
    case 'stopped':
      return <Notice actions={again('Go on')}>You stopped the agent here. Your decisions are kept.</Notice>;
    case 'interrupted':
      return <Notice actions={again('Go on')}>The page was closed before the agent answered.</Notice>;
    case 'rounds':
      return (
        <Notice tone="warn" actions={again('Go on')}>
          The agent has worked for a while. Let it continue, or write what to do instead.
        </Notice>
      );
    case 'not_applied':
      return <Notice tone="bad">The decision failed: {notice.message} Decide again.</Notice>;
    case 'failed':
      return (
        <Notice tone="bad" actions={again('Try again')}>
          {notice.message ?? 'The agent did not answer.'}
        </Notice>
      );
  }
}
