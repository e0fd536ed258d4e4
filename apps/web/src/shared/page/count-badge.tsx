/** The number of pending items, beside a link. */
export function CountBadge({ count }: { count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  return (
    <span className="rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent tabular-nums">
      {count > 99 ? '99+' : count}
    </span>
  );
}
