import type { LinkProps } from '@tanstack/react-router';
import {
  Braces,
  CalendarClock,
  FileText,
  Inbox,
  Library,
  MessageCircleQuestionMark,
  ScrollText,
  ListChecks,
  ListTodo,
  Settings,
  Sparkles,
  Tag,
  Table2,
  TextQuote,
  type LucideIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { ApprovalCount } from './approval-count.tsx';
import { useQuery } from '@tanstack/react-query';
import { proposalCountQuery } from '../proposals/proposals-api.ts';
import { useSession } from '../session/session.tsx';
import { CountBadge } from './count-badge.tsx';
import { useReviewCounts } from '../api/arrival/review-counts-api.ts';

function ReviewCount() {
  const { orgId } = useSession();
  const { values, routes } = useReviewCounts(orgId);
  return (
    <CountBadge count={values === undefined && routes === undefined ? undefined : (values ?? 0) + (routes ?? 0)} />
  );
}

/** A page linked from the header. */
export interface HeaderPlace {
  to: NonNullable<LinkProps['to']>;
  label: string;
  Icon: LucideIcon;
  /** Other first path segments that belong to it: `/runs` belongs to the schedules. */
  owns?: readonly string[];
  /** A `CountBadge` with the number of pending items. */
  Count?: ComponentType;
}

/** Daily work. */
const workPlaces: readonly HeaderPlace[] = [
  { to: '/', label: 'Documents', Icon: FileText, owns: ['/documents', '/trash'] },
  { to: '/results', label: 'Results', Icon: Table2 },
  { to: '/ask', label: 'Ask', Icon: MessageCircleQuestionMark },
  { to: '/collections', label: 'Collections', Icon: Library, owns: ['/setup'] },
  { to: '/tasks', label: 'Tasks', Icon: ListTodo },
];

/** Pages with pending work, each with its count. */
const pendingPlaces: readonly HeaderPlace[] = [
  { to: '/inbox', label: 'Inbox', Icon: Inbox, Count: ApprovalCount },
  { to: '/review', label: 'Review', Icon: ListChecks, Count: ReviewCount },
  { to: '/proposals', label: 'Proposals', Icon: Sparkles, Count: ProposalCount },
];

/** Pages of the menu "Set up". */
export const setUpPlaces: readonly HeaderPlace[] = [
  { to: '/schemas', label: 'Schemas', Icon: Braces },
  { to: '/prompts', label: 'Prompts', Icon: TextQuote },
  { to: '/tags', label: 'Tags', Icon: Tag },
  { to: '/schedules', label: 'Schedules and runs', Icon: CalendarClock, owns: ['/runs'] },
  { to: '/audit', label: 'Audit', Icon: ScrollText },
  { to: '/settings', label: 'Settings', Icon: Settings },
];

/** The groups of links in the header, before the menu "Set up". */
export const placeGroups: readonly (readonly HeaderPlace[])[] = [workPlaces, pendingPlaces];

/** Whether a path belongs to the place. */
export function isWithin(place: HeaderPlace, pathname: string): boolean {
  const first = `/${pathname.split('/')[1] ?? ''}`;
  return place.to === first || place.owns?.includes(first) === true;
}

/** Pages that share a link in the header: each links to the others below its heading. */
export const areas = {
  schedules: {
    label: 'Schedules and runs',
    pages: [
      { to: '/schedules', label: 'Schedules' },
      { to: '/runs', label: 'Runs' },
    ],
  },
  collections: {
    label: 'Collections and their setup',
    pages: [
      { to: '/collections', label: 'Collections' },
      { to: '/setup', label: 'Guided setup' },
      { to: '/setup/sources', label: 'Sources' },
    ],
  },
} as const satisfies Record<
  string,
  { label: string; pages: readonly { to: NonNullable<LinkProps['to']>; label: string }[] }
>;

function ProposalCount() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(proposalCountQuery(orgId)).data} />;
}
