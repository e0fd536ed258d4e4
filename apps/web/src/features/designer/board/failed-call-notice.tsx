import { X } from 'lucide-react';
import type { Dispatch } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { DesignerAction } from '../state/designer-reducer.ts';
import type { FailedCall } from '../state/designer-state.ts';

interface FailedCallNoticeProps {
  call: FailedCall;
  label: string | undefined;
  dispatch: Dispatch<DesignerAction>;
}

/** Why an approved change failed, shown in its place. */
export function FailedCallNotice({ call, label, dispatch }: FailedCallNoticeProps) {
  return (
    <Notice
      tone="bad"
      className="m-1"
      actions={
        <IconButton label="Dismiss" onClick={() => dispatch({ type: 'failureDismissed', id: call.id })}>
          <X aria-hidden className="size-4" />
        </IconButton>
      }
    >
      {label !== undefined && <strong className="font-medium">{label}: </strong>}
      {call.error}
    </Notice>
  );
}
