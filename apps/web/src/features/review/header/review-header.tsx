import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useReviewCounts } from '../../../shared/api/arrival/review-counts-api.ts';
import { AppHeader } from '../../../shared/page/app-header.tsx';
import { CountBadge } from '../../../shared/page/count-badge.tsx';
import { useSession } from '../../../shared/session/session.tsx';

const linkClass =
  'inline-flex items-center gap-1.5 rounded-md px-2 py-1 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink';

/** The heading of Review with its tabs, and what the shown one has. */
export function ReviewHeader({ children }: { children: ReactNode }) {
  const { orgId } = useSession();
  const { values, routes } = useReviewCounts(orgId);
  return (
    <AppHeader full>
      <h1 className="font-semibold max-md:sr-only">Review</h1>
      <nav aria-label="Review" className="flex gap-1">
        <Link to="/review" search={{}} activeOptions={{ exact: true }} className={linkClass}>
          Values <CountBadge count={values} />
        </Link>
        <Link to="/review" search={{ tab: 'routes' }} activeOptions={{ exact: true }} className={linkClass}>
          Routes <CountBadge count={routes} />
        </Link>
      </nav>
      <span className="truncate text-sm text-ink-soft max-xl:hidden">{children}</span>
    </AppHeader>
  );
}
