import type { Prompt, Schema } from '@docwright/contract';
import type { ReactNode } from 'react';

export const pendingReview = 'auto-created, pending review';

/** Badge after the name of an automatically created schema or prompt that nobody has accepted yet. */
export function ReviewMark({ of }: { of: Pick<Prompt | Schema, 'review'> | undefined }) {
  if (of?.review !== 'pending') return null;
  return (
    <span className="ml-1.5 inline-block shrink-0 rounded-sm bg-warn-soft px-1 align-middle text-xs font-normal whitespace-nowrap text-warn">
      {pendingReview}
    </span>
  );
}

/** A name in one line with the badge. Where it is narrow, the badge is cut off before more than the end of a long name is. */
export function NameInReview({
  of,
  children,
}: {
  of: Pick<Prompt | Schema, 'review'> | undefined;
  children: ReactNode;
}) {
  if (of?.review !== 'pending') return <span className="block truncate">{children}</span>;
  return (
    <span className="flex min-w-0 items-center">
      <span className="max-w-3/5 shrink-0 truncate">{children}</span>{' '}
      <span className="min-w-0 truncate" title={pendingReview}>
        <ReviewMark of={of} />
      </span>
    </span>
  );
}
