import type { LinkProps } from '@tanstack/react-router';
import {
  Braces,
  CalendarClock,
  FileText,
  Inbox,
  Library,
  ScrollText,
  ListChecks,
  ListTodo,
  Settings,
  Sparkles,
  Tag,
  TextQuote,
  type LucideIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { WaitingDecisions } from './waiting-decisions.tsx';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { proposalCountQuery } from '../proposals/proposals-api.ts';
import { useSession } from '../session/session.tsx';
import { CountBadge } from './count-badge.tsx';
import type { ReviewQueue } from '@docwright/contract';
import { requestJson } from '../http/http.ts';

const pollAfterMs = 30_000;

/** How many documents have values to check; looking leases none of them. */
function reviewCountQuery(orgId: string) {
  return queryOptions({
    queryKey: ['review', orgId, 'count'],
    queryFn: async ({ signal }) => {
      const path = `/v0/orgs/${orgId}/review?limit=1&lease=false`;
      const { documents, values } = await requestJson<ReviewQueue>(path, { signal });
      return { documents, values };
    },
    refetchInterval: pollAfterMs,
    staleTime: pollAfterMs,
  });
}

/** The number of documents with values to check. */
function WaitingValues() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(reviewCountQuery(orgId)).data?.documents} />;
}

/** A page that the header leads to. */
export interface Place {
  to: NonNullable<LinkProps['to']>;
  label: string;
  Icon: LucideIcon;
  /** First parts of addresses that belong to it, besides its own: `/runs` belongs to the schedules. */
  owns?: readonly string[];
  /** Draws how much waits there beside the label, by a `CountBadge`. */
  Count?: ComponentType;
}

/** Daily work. */
const workPlaces: readonly Place[] = [
  { to: '/', label: 'Documents', Icon: FileText, owns: ['/documents', '/trash'] },
  { to: '/collections', label: 'Collections', Icon: Library, owns: ['/setup'] },
  { to: '/tasks', label: 'Tasks', Icon: ListTodo },
];

/** What waits for a person, each with its count. */
const waitingPlaces: readonly Place[] = [
  { to: '/inbox', label: 'Inbox', Icon: Inbox, Count: WaitingDecisions },
  { to: '/review', label: 'Review', Icon: ListChecks, Count: WaitingValues },
  { to: '/proposals', label: 'Proposals', Icon: Sparkles, Count: WaitingProposals },
];

/** What is set up once: a menu of its own. */
export const setUpPlaces: readonly Place[] = [
  { to: '/schemas', label: 'Schemas', Icon: Braces },
  { to: '/prompts', label: 'Prompts', Icon: TextQuote },
  { to: '/tags', label: 'Tags', Icon: Tag },
  { to: '/schedules', label: 'Schedules and runs', Icon: CalendarClock, owns: ['/runs'] },
  { to: '/audit', label: 'Audit', Icon: ScrollText },
  { to: '/settings', label: 'Settings', Icon: Settings },
];

/** The groups of links in the header, in their order; the menu `Set up` follows them. */
export const placeGroups: readonly (readonly Place[])[] = [workPlaces, waitingPlaces];

/** Whether an address is one of the place's. */
export function isWithin(place: Place, pathname: string): boolean {
  const first = `/${pathname.split('/')[1] ?? ''}`;
  return place.to === first || place.owns?.includes(first) === true;
}

/** Pages that share a place of the header: each shows links to the others below its heading. */
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

/** The number of kinds that wait for a decision. */
function WaitingProposals() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(proposalCountQuery(orgId)).data} />;
}
