import { Notice } from '../../../shared/ui/notice.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import type { ChatNotice } from '../../../agent-ui/chat-state.ts';

interface TurnNoticeProps {
  notice: ChatNotice;
  onAgain: () => void;
  onReload: (() => void) | undefined;
}

/** Why a turn ended before it was done, and the way on. */
export function TurnNotice({ notice, onAgain, onReload }: TurnNoticeProps) {
  const { message } = notice;
  switch (notice.status) {
    case 'stopped':
      return <Notice>{message ?? 'You stopped it here. What had been done stays; write what to do next.'}</Notice>;
    case 'max_rounds':
      return <Notice tone="warn">The agent used up the rounds of one turn. Write “go on” to let it continue.</Notice>;
    case 'superseded':
      return <Notice>A newer message took the place of this turn.</Notice>;
    case 'decision_refused':
      return <Notice tone="bad">{message ?? 'The decision was not taken.'}</Notice>;
    case 'failed':
    case 'refused':
      return (
        <Notice
          tone="bad"
          actions={
            <span className="flex gap-1.5">
              {onReload && (
                <Button size="small" onClick={onReload}>
                  Reload
                </Button>
              )}
              <Button size="small" onClick={onAgain}>
                Send again
              </Button>
            </span>
          }
        >
          {message ?? 'The agent could not go on.'}
        </Notice>
      );
  }
}
