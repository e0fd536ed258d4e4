import type { Approval } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Hand } from 'lucide-react';
import { callLabel } from '../../agent-ui/call-labels.ts';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

interface GroupHeadProps {
  group: Approval;
  /** The number of its calls. */
  size: number;
  /** Goes back to the list; undefined if the list is beside the card. */
  onBack: (() => void) | undefined;
}

/** What a group of similar calls would do, who asked for it, and until when it waits. */
export function GroupHead({ group, size, onBack }: GroupHeadProps) {
  const memberName = useMemberName();
  const date = (text: string) => new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className="border-b border-line bg-surface px-4 py-3">
      <div className="flex items-center gap-2">
        {onBack && (
          <IconButton label="All decisions" onClick={onBack}>
            <ArrowLeft className="size-4" />
          </IconButton>
        )}
        <h2 className="min-w-0 flex-1 text-lg font-semibold wrap-anywhere">{group.summary}</h2>
        <span className="inline-flex items-center gap-1 rounded-sm bg-warn-soft px-1.5 text-sm text-warn max-md:hidden">
          <Hand aria-hidden className="size-3.5" /> Waiting
        </span>
      </div>
      <p className="mt-1 text-sm">
        {callLabel(group.tool)}
        {size > 1 ? `, for ${size} documents alike.` : '.'}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-6 gap-y-0.5 text-sm text-ink-soft">
        <span>
          Asked by <span className="font-medium text-ink">{memberName(group.requested_by)}</span>
        </span>
        {group.run_id !== undefined && (
          <Link to="/runs/$runId" params={{ runId: group.run_id }} className={textLinkClass}>
            Open the run
          </Link>
        )}
        <span>
          Waiting since <span className="font-medium text-ink">{date(group.waiting_since)}</span>
        </span>
        <span>
          Expires <span className="font-medium text-ink">{date(group.expires_at)}</span>
        </span>
      </p>
    </div>
  );
}
