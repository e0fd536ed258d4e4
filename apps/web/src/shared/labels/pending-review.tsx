import type { Prompt, Schema } from '@docwright/contract';

export const pendingReview = 'auto-created, pending review';

/** Badge after the name of an automatically created schema or prompt that nobody has accepted yet. */
export function PendingReview({ of }: { of: Pick<Prompt | Schema, 'review'> | undefined }) {
  if (of?.review !== 'pending') return null;
  return (
    <span className="ml-1.5 inline-block rounded-sm bg-warn-soft px-1 align-middle text-xs font-normal whitespace-nowrap text-warn">
      {pendingReview}
    </span>
  );
}
