import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { DesignerNotice } from '../state/designer-state.ts';

/** Why the agent has stopped, with a button to continue. */
export function DesignerNoticeBox({ notice, onContinue }: { notice: DesignerNotice; onContinue: () => void }) {
  const button = (label: string) => (
    <Button size="small" onClick={onContinue}>
      {label}
    </Button>
  );
  switch (notice.kind) {
    case 'stopped':
      return <Notice actions={button('Continue')}>You stopped the agent here. Your decisions are kept.</Notice>;
    case 'interrupted':
      return <Notice actions={button('Continue')}>The page was closed before the agent answered.</Notice>;
    case 'rounds':
      return (
        <Notice tone="warn" actions={button('Continue')}>
          The agent has used up its rounds. Let it continue, or write what to do instead.
        </Notice>
      );
    case 'not_applied':
      return <Notice tone="bad">The decision failed: {notice.message} Decide again.</Notice>;
    case 'failed':
      return (
        <Notice tone="bad" actions={button('Try again')}>
          {notice.message ?? 'The agent did not answer.'}
        </Notice>
      );
  }
}
