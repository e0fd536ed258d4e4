import { messageOf } from '../http/api-error.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** A loading error with a button to try again. */
export function RetryNotice({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Notice
      tone="bad"
      actions={
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
    </Notice>
  );
}
