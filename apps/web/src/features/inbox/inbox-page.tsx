import type { Approval } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Inbox, Layers, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { InboxSearch } from '../../shared/addresses/inbox-search.ts';
import { followEvents } from '../../shared/http/follow-events.ts';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { CountBadge } from '../../shared/page/count-badge.tsx';
import { approvalsKey } from '../../shared/page/approval-count.tsx';
import { DocumentsLink } from '../../shared/page/documents-link.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { PageKeys } from '../../shared/ui/dialogs/page-keys.tsx';
import { focusWhenVisible } from '../../shared/ui/browser/focus-when-visible.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { approvalEventsPath, groupCallsQuery, groupsQuery } from './approvals-api.ts';
import { GroupCard } from './group-card.tsx';
import { originLabel, timeLeft, waitingLabel, warningLabel } from './inbox-labels.ts';
import { LastOutcome, type DecidedCalls } from './last-outcome.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { inboxKeys, useInboxKeys } from './use-inbox-keys.ts';

const route = getRouteApi('/inbox');
const pageSize = 100;

/** All pending decisions of the user: a list, and beside it the shown decision. */
export function InboxPage() {
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useInboxEvents(orgId);
  const [page, setPage] = useState(1);
  const { group: _opened, ...filter } = search;
  const filterKey = JSON.stringify(filter);
  const list = useQuery(groupsQuery(orgId, filter, page));
  const isWide = useMediaQuery('(min-width: 64rem)');
  // The shown group is part of the URL, so that a reload shows the same one.
  const [chosen, setChosen] = useState<{ group: string; at: number } | undefined>(
    search.group === undefined ? undefined : { group: search.group, at: 0 },
  );
  const [decided, setDecided] = useState<DecidedCalls>();
  /** The group whose decision the user is typing: it stays when somebody else decides it or a link changes the filter. */
  const [typedOn, setTypedOn] = useState<Approval>();
  /** What is shown stays until the user decides or goes on: a click must not meet another decision that took its place. */
  const [kept, setKept] = useState<Approval>();
  /** The group whose calls the user has all decided, until a list loaded later than `listedAt` names it again. */
  const [left, setLeft] = useState<{ group: string; listedAt: number }>();
  const [listedBy, setListedBy] = useState(filter);
  /** The filter that listed the shown group, if a link has changed the filter while the user typed. */
  const [shownBy, setShownBy] = useState<InboxSearch>();
  if (JSON.stringify(listedBy) !== filterKey) {
    setListedBy(filter);
    setPage(1);
    if (typedOn === undefined) turnTo(1);
    else setShownBy(shownBy ?? listedBy);
    const next = typedOn?.group ?? search.group;
    setChosen(next === undefined ? undefined : { group: next, at: 0 });
  }
  const shownFilter = shownBy ?? filter;
  const isOutside = JSON.stringify(shownFilter) !== filterKey;
  const groups = list.data?.approvals ?? [];
  const indexOf = (sought: string | undefined) => groups.findIndex(({ group }) => group === sought);
  const isListed = (group: string) => indexOf(group) >= 0;
  if (left !== undefined && list.dataUpdatedAt > left.listedAt && isListed(left.group)) setLeft(undefined);
  const total = list.data?.total_groups ?? 0;
  if (list.data && !list.isPlaceholderData && groups.length === 0) {
    // The last page may have been emptied while others are full.
    if (page > 1) setPage(Math.min(page - 1, Math.max(1, Math.ceil(total / pageSize))));
    else if (kept !== undefined && typedOn === undefined && !isOutside) setKept(undefined);
  }
  const chosenIndex = indexOf(kept !== undefined && isListed(kept.group) ? kept.group : chosen?.group);
  // After a decision, the group that takes its place in the list is shown.
  const at = chosenIndex >= 0 ? chosenIndex : Math.min(chosen?.at ?? 0, groups.length - 1);
  const held = typedOn ?? ((groups.length > 0 || isOutside) && kept?.group !== left?.group ? kept : undefined);
  const isAbsent = held !== undefined && !list.isPlaceholderData && (isOutside || !isListed(held.group));
  // A group that is not on this page may wait on another one, or outside the filter.
  const mayWait = isAbsent && (page > 1 || total > pageSize || isOutside);
  const look = useQuery({ ...groupCallsQuery(orgId, held?.group ?? '', shownFilter), enabled: mayWait });
  const found = look.data?.[0];
  const isUnknown = mayWait && look.data === undefined;
  const isGone = isAbsent && !isUnknown && !(mayWait && found !== undefined);
  const shown = shownGroup();
  if (shown !== undefined && shown.group !== kept?.group) setKept(shown);
  function shownGroup(): Approval | undefined {
    // The groups of the page or filter before would be replaced at once.
    if (list.isPlaceholderData) return typedOn ?? (isOutside ? held : undefined);
    if (isGone || isUnknown) return held;
    if (isAbsent) return { ...held, ...found, group_size: look.data?.length ?? 1 };
    return isWide || chosen !== undefined ? groups[at] : undefined;
  }
  const show = (next: number) => {
    const group = groups[next];
    if (!group) return;
    turnTo(page);
    setChosen({ group: group.group, at: next });
    void navigate({ search: { ...filter, group: group.group }, replace: true, resetScroll: false });
  };
  function turnTo(next: number): void {
    setPage(next);
    setTypedOn(undefined);
    setShownBy(undefined);
    setKept(undefined);
    setLeft(undefined);
    setChosen(undefined);
  }
  const narrow = (next: InboxSearch) => {
    turnTo(1);
    void navigate({ search: next, replace: true });
  };
  /** Goes on after a decision has arrived; the user may have gone on to another one, or left the page, before. */
  const goOn = (group: Approval, { outcomes }: DecidedCalls) => {
    if (group.group !== shown?.group) return;
    setTypedOn(undefined);
    const ended = outcomes.filter(({ status }) => status === 'decided').length;
    const isAll = ended >= (group.group_size ?? 1);
    if (isAll) setShownBy(undefined);
    setLeft(isAll ? { group: group.group, listedAt: list.dataUpdatedAt } : undefined);
    setChosen({ group: group.group, at });
    focusWhenVisible('button[aria-current="true"]');
  };
  const latestGoOn = useRef(goOn);
  useEffect(() => {
    latestGoOn.current = goOn;
    return () => void (latestGoOn.current = () => undefined);
  });
  const isEmpty = list.data !== undefined && groups.length === 0 && !isAbsent && shown === undefined;
  const isNarrowed = Object.keys(filter).length > 0;
  useInboxKeys({ j: () => show(shown ? at + 1 : 0), k: () => show(at - 1) });
  return (
    <>
      <title>Inbox · Docwright</title>
      <PageKeys keys={inboxKeys} />
      <AppHeader>
        <h1 className="font-semibold">Inbox</h1>
        <span className="truncate text-sm text-ink-soft md:max-xl:hidden">
          {waitingLabel(total, list.data?.total_count ?? 0)}
        </span>
      </AppHeader>
      <main className="flex min-h-0 flex-1 flex-col">
        {decided && <LastOutcome decided={decided} onClose={() => setDecided(undefined)} />}
        {list.error && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
        {look.error && mayWait && <RetryNotice error={look.error} retry={() => void look.refetch()} />}
        {(list.isPending || (isEmpty && total > 0)) && <Skeleton className="m-4 h-40" />}
        {isEmpty && total === 0 && isNarrowed && (
          <>
            <InboxFilters search={search} onSearch={narrow} groups={groups} />
            <EmptyState icon={Inbox} title="Nothing waits here">
              <Button onClick={() => narrow({})}>Show all decisions</Button>
            </EmptyState>
          </>
        )}
        {isEmpty && total === 0 && !isNarrowed && (
          <EmptyState icon={Inbox} title="Nothing waits for you" actions={<DocumentsLink />}>
            {canWrite
              ? 'Changes that runs and your chats ask about appear here.'
              : 'As a viewer you read only: there is nothing for you to decide.'}
          </EmptyState>
        )}
        {(groups.length > 0 || isAbsent || shown) && (
          <div className="flex min-h-0 flex-1">
            {(isWide || !shown) && (
              <section
                aria-label="Decisions that wait"
                className="flex min-h-0 w-full flex-col bg-surface lg:w-80 lg:shrink-0 lg:border-r lg:border-line 2xl:w-100"
              >
                <InboxFilters search={search} onSearch={narrow} groups={groups} />
                <ul className="min-h-0 flex-1 overflow-auto">
                  {groups.map((group, index) => (
                    <GroupRow key={group.group} group={group} isShown={group === shown} onShow={() => show(index)} />
                  ))}
                </ul>
                {total > pageSize && (
                  <div className="border-t border-line p-2">
                    <Pager page={page} pageSize={pageSize} total={total} onPage={turnTo} />
                  </div>
                )}
                <p className="flex gap-3 border-t border-line px-3 py-2 text-sm text-ink-soft max-lg:hidden">
                  <span>
                    Next <KeyCap name="j" />
                  </span>
                  <span>
                    Previous <KeyCap name="k" />
                  </span>
                  <span className="ml-auto">
                    All keys <KeyCap name="?" />
                  </span>
                </p>
              </section>
            )}
            {shown && (
              <GroupCard
                key={shown.group}
                group={shown}
                filter={shownFilter}
                isGone={isGone}
                isUnknown={isUnknown}
                onTyping={(isTyping) => setTypedOn(isTyping ? shown : undefined)}
                onBack={isWide ? undefined : () => narrow(filter)}
                onNext={() => (groups.length > 0 ? show(at) : turnTo(page))}
                onDecided={(result) => {
                  setDecided(result);
                  latestGoOn.current(shown, result);
                }}
              />
            )}
          </div>
        )}
      </main>
    </>
  );
}

interface GroupRowProps {
  group: Approval;
  isShown: boolean;
  onShow: () => void;
}

function GroupRow({ group, isShown, onShow }: GroupRowProps) {
  const { me } = useSession();
  const { words, isSoon } = timeLeft(group.expires_at);
  const size = group.group_size ?? 1;
  const Icon = group.preview?.kind === 'delete' ? Trash2 : size > 1 ? Layers : Pencil;
  const warning = warningLabel(group);
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <li className="border-b border-line">
      <button
        ref={row}
        type="button"
        aria-current={isShown ? 'true' : undefined}
        onClick={onShow}
        className={classNames(
          'grid w-full grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-2 px-3 py-2 text-left text-sm max-lg:min-h-14',
          isShown ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover',
        )}
      >
        <Icon aria-hidden className="mt-0.5 size-4 text-ink-soft" />
        <span className="truncate text-base font-medium">{group.summary}</span>
        <span className="flex items-center gap-1">
          {warning !== undefined && (
            <span className="rounded-sm bg-warn-soft px-1.5 text-xs leading-5 text-warn">{warning}</span>
          )}
          {size > 1 && <CountBadge count={size} />}
        </span>
        <span className="col-span-2 col-start-2 flex gap-2 text-ink-soft">
          <span className="min-w-0 flex-1 truncate">{originLabel(group, group.requested_by === me.user.id)}</span>
          <span className={isSoon ? 'text-warn' : undefined}>{words}</span>
        </span>
      </button>
    </li>
  );
}

/** Reloads the list when pending calls are added or removed, by anyone. */
function useInboxEvents(orgId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Many events arrive together: they cause one reload.
    const refresh = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: approvalsKey(orgId) }), 100);
    };
    const unfollow = followEvents({
      path: approvalEventsPath(orgId),
      types: ['count', 'added', 'removed'],
      onEvent: refresh,
      onRejected: refresh,
      retryAfterMs: 5000,
    });
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, [orgId, queryClient]);
}
